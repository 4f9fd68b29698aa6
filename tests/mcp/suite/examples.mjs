// Every operation's example on the story: a success that ajv finds to match the published output schema.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { check } from "./report.mjs";
import { run } from "./processes.mjs";
import { PERSON, copied, removed, told } from "./story.mjs";

const SNAPSHOTS = join(import.meta.dirname, "../../../almanac/tests/snapshots/operations");
const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

export async function examples(binary) {
  const story = await told(binary);
  const [listed] = await ask(binary, story, [{ method: "tools/list", params: {} }]);
  const ajv = new Ajv({ strict: true, allErrors: true });
  for (const tool of listed.result.tools) {
    await check(`example ${tool.name} matches its output schema in both eras`, async () => {
      const { example } = JSON.parse(await readFile(join(SNAPSHOTS, `${tool.name}.json`), "utf8"));
      for (const meta of [undefined, META]) {
        const data = await copied(story);
        const params = { name: tool.name, arguments: example, ...(meta ? { _meta: meta } : {}) };
        const [answer] = await ask(binary, data, [{ method: "tools/call", params }]);
        await removed(data);
        assert.ok(answer.result, JSON.stringify(answer));
        assert.equal(answer.result.isError, false, answer.result.content[0].text);
        const valid = ajv.validate(tool.outputSchema, answer.result.structuredContent);
        assert.ok(valid, ajv.errorsText());
      }
    });
    await check(`input schema of ${tool.name} takes its example`, async () => {
      const { example } = JSON.parse(await readFile(join(SNAPSHOTS, `${tool.name}.json`), "utf8"));
      assert.ok(new Ajv({ strict: true, formats: { date: true } }).validate(tool.inputSchema, example));
    });
  }
  await check("every snapshot is of an operation that is there", async () => {
    const names = new Set(listed.result.tools.map((tool) => tool.name));
    for (const file of await readdir(SNAPSHOTS)) {
      const { operation, off_mcp: offMcp } = JSON.parse(await readFile(join(SNAPSHOTS, file), "utf8"));
      assert.ok(offMcp !== null || names.has(operation), operation);
    }
  });
  await removed(story);
}

/** Sends messages to `almanac mcp` on the host and answers what came back. */
async function ask(binary, data, requests) {
  const lines = requests.map((request, id) => JSON.stringify({ jsonrpc: "2.0", id, ...request })).join("\n");
  const { code, stdout, stderr } = await run(binary, ["mcp", "--as", PERSON], { env: { ALMANAC_DATA: data }, input: `${lines}\n` });
  assert.equal(code, 0, stderr);
  return stdout.trim().split("\n").map((line) => JSON.parse(line));
}
