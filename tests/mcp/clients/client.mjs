// TypeScript SDK of the second line (`@modelcontextprotocol/client`), as it comes and with version negotiation.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport, getDefaultEnvironment } from "@modelcontextprotocol/client/stdio";
import { finish, places, step, tell } from "./story.mjs";

const { url, token, fixture, stdio } = places();

const http = (address, bearer) =>
  new StreamableHTTPClientTransport(new URL(address), {
    requestInit: bearer ? { headers: { Authorization: `Bearer ${bearer}` } } : {},
  });

const local = () =>
  new StdioClientTransport({
    command: stdio.command,
    args: stdio.args,
    env: { ...getDefaultEnvironment(), ...stdio.env },
    stderr: "ignore",
  });

async function open(transport, options) {
  const client = new Client({ name: "second-line-client", version: "1.0.0" }, options);
  await client.connect(transport);
  return {
    client,
    revision: client.getNegotiatedProtocolVersion(),
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

const plain = {};
const negotiating = { versionNegotiation: { mode: "auto" } };

await tell("client over HTTP", "2025-11-25", () => open(http(url, token), plain));
await tell("client over stdio", "2025-11-25", () => open(local(), plain));
await tell("client over HTTP, negotiating", "2026-07-28", () => open(http(url, token), negotiating));
await tell("client over stdio, negotiating", "2026-07-28", () => open(local(), negotiating));
for (const [name, options] of [["client", plain], ["client, negotiating", negotiating]]) {
  await step(`${name}: reads a resource of the fixture`, async () => {
    const session = await open(http(fixture), options);
    const { contents } = await session.client.readResource({ uri: "test://static-text" });
    assert.equal(contents[0].text, "This is the content of the static text resource.");
    await session.close();
  });
  await step(`${name}: a visitor is asked to sign in`, async () => {
    await assert.rejects(open(http(url), options), (error) => /401|unauthori[sz]ed|unauthenticated/i.test(`${error.code} ${error.message}`));
  });
}
finish();
