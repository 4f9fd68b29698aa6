// The Inspector's command line: strict schema findings, and calls, in both eras, over HTTP and stdio.
import assert from "node:assert/strict";
import { join } from "node:path";
import { check } from "./report.mjs";
import { run } from "./processes.mjs";

const INSPECTOR = join(import.meta.dirname, "../node_modules/.bin/mcp-inspector");
const ERAS = ["legacy", "modern"];

export async function inspector(almanac) {
  const overHttp = [almanac.url, "--transport", "http", "--header", `Authorization: Bearer ${almanac.token}`];
  const { command, args, env } = almanac.stdio;
  const overStdio = [...Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]), command, ...args];
  for (const era of ERAS) {
    for (const [way, target] of [["HTTP", overHttp], ["stdio", overStdio]]) {
      const inspect = (...options) => started(way === "HTTP" ? [...target, ...options] : [...options, ...target], era);
      await check(`inspector ${era} over ${way}: no strict finding`, async () => {
        const { code, stdout, stderr } = await inspect("--method", "tools/list", "--strict");
        assert.equal(code, 0, stderr);
        assert.doesNotMatch(stderr, /warning|error|finding|issue/i, stderr);
        assert.match(stdout, /"log_meal"/);
      });
      await check(`inspector ${era} over ${way}: reads and writes`, async () => {
        const read = await inspect("--method", "tools/call", "--tool-name", "get_macros_today", "--format", "json");
        assert.equal(read.code, 0, read.stderr);
        assert.match(read.stdout, /kcal_in/);
        const written = await inspect("--method", "tools/call", "--tool-name", "log_weight", "--tool-arg", "weight=82.4");
        assert.equal(written.code, 0, written.stderr);
        assert.match(written.stdout, /weight_kg/);
      });
      await check(`inspector ${era} over ${way}: a tool error is one`, async () => {
        const { code } = await inspect("--method", "tools/call", "--tool-name", "log_weight", "--tool-arg", "weight=-1");
        assert.equal(code, 5);
      });
    }
  }
  await check("inspector: asks to log in without a token", async () => {
    const { code } = await started([almanac.url, "--transport", "http", "--method", "tools/list"], "legacy");
    assert.equal(code, 3);
  });
}

function started(options, era) {
  return run(process.execPath, [INSPECTOR, "--cli", "--protocol-era", era, ...options], {
    seconds: 60,
    env: { BROWSER: "false", CI: "true" },
  });
}
