// TypeScript SDK of the first line (`@modelcontextprotocol/sdk`): speaks the handshake revisions only.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { finish, places, step, tell } from "./story.mjs";

const REVISION = "2025-11-25";
const { url, token, fixture, stdio } = places();

const http = (address, bearer) => {
  const transport = new StreamableHTTPClientTransport(new URL(address), {
    requestInit: bearer ? { headers: { Authorization: `Bearer ${bearer}` } } : {},
  });
  return [transport, () => transport.protocolVersion];
};

const local = () => {
  const transport = new StdioClientTransport({
    command: stdio.command,
    args: stdio.args,
    env: { ...getDefaultEnvironment(), ...stdio.env },
    stderr: "ignore",
  });
  // This transport is told the agreed revision and keeps it nowhere.
  let agreed;
  transport.setProtocolVersion = (version) => (agreed = version);
  return [transport, () => agreed];
};

async function open([transport, revision]) {
  const client = new Client({ name: "sdk-client", version: "1.0.0" });
  await client.connect(transport);
  return {
    client,
    revision: revision(),
    tools: async () => (await client.listTools()).tools.map((tool) => tool.name),
    call: async (name, input) => {
      try {
        const result = await client.callTool({ name, arguments: input });
        return { isError: result.isError === true, text: result.content[0].text, data: result.structuredContent };
      } catch (error) {
        if (typeof error.code !== "number") throw error;
        return { code: error.code, message: error.message };
      }
    },
    close: () => client.close(),
  };
}

await tell("sdk over HTTP", REVISION, () => open(http(url, token)));
await tell("sdk over stdio", REVISION, () => open(local()));
await step("sdk: reads a resource of the fixture", async () => {
  const session = await open(http(fixture));
  const { contents } = await session.client.readResource({ uri: "test://static-text" });
  assert.equal(contents[0].text, "This is the content of the static text resource.");
  await session.close();
});
await step("sdk: a visitor is asked to sign in", async () => {
  await assert.rejects(open(http(url)), (error) => error.code === 401 || /401|Unauthorized/.test(error.message));
});
finish();
