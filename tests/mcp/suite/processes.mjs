// Child processes: run to the end, or serve until the suite is over.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** The caller's environment without anything that would point Almanac at a real database or person. */
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(ALMANAC_|DATABASE_URL$|MCP_|FASTMCP_|API_KEY$)/.test(name)),
);

const serving = new Set();

/** Runs a command to its end. Never throws for an exit code. */
export function run(command, args, { env = {}, cwd, seconds = 120, input } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...environment, ...env }, cwd, stdio: ["pipe", "pipe", "pipe"] });
    const out = [];
    const err = [];
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    child.stdin.on("error", () => {}); // a child that reads nothing may be gone already
    child.stdin.end(input ?? "");
    child.stdout.on("data", (bytes) => out.push(bytes));
    child.stderr.on("data", (bytes) => err.push(bytes));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}

/** Runs a command that must succeed; answers its standard output without blanks around it. */
export async function must(command, args, options) {
  const { code, signal, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code ?? signal}\n${stderr}`);
  return stdout.trim();
}

/** Starts a server and waits until `ready()` answers true. */
export async function serve(command, args, { env = {}, ready, seconds = 30 }) {
  const child = spawn(command, args, { env: { ...environment, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  const said = [];
  child.stderr.on("data", (bytes) => said.push(bytes));
  let ended;
  child.on("close", (code, signal) => (ended = code ?? signal));
  child.on("error", (error) => (ended = error.message));
  serving.add(child);
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(50)) {
    if (ended !== undefined) break;
    if (await ready().catch(() => false)) return { child, log: () => Buffer.concat(said).toString() };
  }
  throw new Error(`${command} ${args.join(" ")} did not come up (${ended ?? "still starting"})\n${Buffer.concat(said)}`);
}

/** Ends every server that was started. */
export function endAll() {
  for (const child of serving) child.kill("SIGKILL");
  serving.clear();
}

/** A loopback port that nobody listens on. */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
