// The two servers under test: Almanac itself on a fresh database, and the conformance fixture.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, must, serve } from "./processes.mjs";

const PERSON = "ana@example.org";
const ALL_SCOPES = "profile journal";

/** A served Almanac with one person; `token` has every scope. */
export async function almanac(binary) {
  const data = await mkdtemp(join(tmpdir(), "almanac-mcp-"));
  const env = { ALMANAC_DATA: data };
  await must(binary, ["create-person", PERSON, "--name", "Ana", "--timezone", "America/Toronto"], { env });
  const tokenFor = (scope) =>
    must(binary, ["create-access-token", "--person", PERSON, "--name", `suite ${scope}`, "--scope", scope, "--output", "text"], { env });
  const token = await tokenFor(ALL_SCOPES);
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { log } = await serve(binary, ["serve", "--listen", `127.0.0.1:${port}`], {
    env,
    ready: async () => (await fetch(`${base}/healthz`)).status === 200,
  });
  return {
    binary,
    base,
    url: `${base}/mcp`,
    token,
    env,
    log,
    stdio: { command: binary, args: ["mcp"], env: { ...env, ALMANAC_MCP_CLIENT_TOKEN: token } },
    remove: () => rm(data, { recursive: true, force: true }),
  };
}

/** The fixture of the conformance suite; it asks for no credential. */
export async function fixture(binary) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/mcp`;
  await serve(binary, ["--listen", `127.0.0.1:${port}`], {
    ready: async () => (await rpc(url, "ping")).result !== undefined,
  });
  return { url };
}

/** One legacy JSON-RPC request; answers the whole message. */
export async function rpc(url, method, params = {}, token) {
  const answer = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return answer.json();
}
