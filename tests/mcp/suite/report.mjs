// Counts what was checked and says it in one line each.

const counts = { passed: 0, failed: 0 };

export function passed(name) {
  counts.passed += 1;
  console.log(`ok ${name}`);
}

export function failed(name, why = "") {
  counts.failed += 1;
  const said = String(why).trim();
  console.log(`FAILED ${name}${said ? `\n  ${said.replaceAll("\n", "\n  ")}` : ""}`);
}

/** Runs one check; what it throws is the reason. */
export async function check(name, work) {
  try {
    await work();
    passed(name);
  } catch (error) {
    failed(name, error?.message ?? error);
  }
}

/** Takes over the `ok …` and `FAILED …` lines of a client script. */
export function adopt(output) {
  for (const line of output.split("\n")) {
    if (line.startsWith("ok ")) passed(line.slice(3));
    else if (line.startsWith("FAILED ")) failed(line.slice(7));
  }
}

export function total() {
  return counts.passed + counts.failed;
}

/** The last line of the run; answers the exit code. */
export function close() {
  console.log(`${counts.passed} passed, ${counts.failed} failed`);
  return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
}
