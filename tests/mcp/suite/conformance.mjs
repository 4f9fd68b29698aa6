// The protocol's own conformance suite against the fixture (both requirement sets, and header validation).
import { join } from "node:path";
import { failed, passed } from "./report.mjs";
import { run } from "./processes.mjs";

const SUITE = join(import.meta.dirname, "../node_modules/@modelcontextprotocol/conformance/dist/index.js");
const BASELINE = join(import.meta.dirname, "../legacy-baseline.yml");

export async function conformance(url, results) {
  await set("conformance 2026-07-28", ["--requirements", "2026-07-28", "-o", join(results, "modern")]);
  await set("conformance 2025-11-25", [
    ...["--requirements", "2025-11-25", "--timeout", "5000"],
    ...["--expected-failures", BASELINE, "-o", join(results, "legacy")],
  ]);
  await set("conformance http-header-validation", [
    ...["--scenario", "http-header-validation", "--spec-version", "2026-07-28"],
  ]);

  async function set(name, args) {
    const { code, stdout, stderr } = await run(process.execPath, [SUITE, "server", "--url", url, ...args], { seconds: 300 });
    if (code === 0) passed(name);
    else failed(name, `exit ${code}\n${(stdout + stderr).split("\n").slice(-80).join("\n")}`);
  }
}
