// Four client SDKs, each telling the same story (clients/).
import { join } from "node:path";
import { adopt, failed, total } from "./report.mjs";
import { run } from "./processes.mjs";

const FOLDER = join(import.meta.dirname, "../clients");

export async function clients(almanac, fixture, python) {
  const { url, token, stdio } = almanac;
  const places = JSON.stringify({ url, token, stdio, fixture: fixture.url });
  for (const [command, script] of [
    [python, "python_mcp.py"],
    [python, "python_fastmcp.py"],
    [process.execPath, "sdk.mjs"],
    [process.execPath, "client.mjs"],
  ]) {
    const before = total();
    const { code, stdout, stderr } = await run(command, [join(FOLDER, script), places], { seconds: 180 });
    adopt(stdout);
    const told = total() - before;
    const failures = stdout.split("\n").some((line) => line.startsWith("FAILED "));
    if (told === 0 || (code !== 0 && !failures)) failed(`${script} ended early`, `exit ${code}\n${stderr.slice(-2000)}`);
  }
}
