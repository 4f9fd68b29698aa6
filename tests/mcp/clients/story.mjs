// What every client does with Almanac. A client is adapted by four functions; everything it sees is checked here.
import assert from "node:assert/strict";

const MEAL = { kcal: 500, protein_g: 25, carb_g: 50, fat_g: 18 };
const VALIDATION =
  "tool log_meal input validation failed — kcal: Expected number, received string; " +
  "protein_g: Required; carb_g: Required; fat_g: Required";

let failures = 0;

export async function step(name, work) {
  try {
    await work();
    console.log(`ok ${name}`);
  } catch (error) {
    failures += 1;
    console.log(`FAILED ${name} — ${String(error?.message ?? error).replaceAll("\n", " | ").slice(0, 600)}`);
  }
}

/** Ends the script: anything that failed is an exit code. */
export function finish() {
  process.exit(failures === 0 ? 0 : 1);
}

/** The places to connect to, as the suite hands them over. */
export function places() {
  return JSON.parse(process.argv[2]);
}

/**
 * The whole story over one connection. `open()` answers `{ revision, tools(), call(name, input), close() }`, where
 * `call` answers `{ isError, text, data }`, or `{ code, message }` for a JSON-RPC error.
 */
export async function tell(title, expectedRevision, open) {
  let session;
  await step(`${title}: connects with ${expectedRevision}`, async () => {
    session = await open();
    assert.equal(session.revision, expectedRevision);
  });
  if (!session) return;
  const modern = expectedRevision >= "2026";
  const named = (name, work) => step(`${title}: ${name}`, work);

  await named("lists the tools", async () => {
    const names = await session.tools();
    assert.deepEqual([...names].sort(), names, "sorted by name");
    for (const name of ["get_capabilities", "log_meal", "delete_meal", "get_meals"]) assert.ok(names.includes(name), name);
  });
  await named("reads get_capabilities", async () => {
    const { isError, data } = await session.call("get_capabilities", {});
    assert.ok(!isError);
    assert.equal(data.server.name, "almanac");
  });

  let meal;
  await named("logs a meal", async () => {
    const { isError, text, data } = await session.call("log_meal", { ...MEAL, name: `Lentils for ${title}` });
    assert.ok(!isError, text);
    assert.deepEqual(JSON.parse(text), data, "text and object carry the same facts");
    assert.ok(Number.isInteger(data.id) && data._meta.server_now && data.undo.change_id === data.change_id);
    meal = data.id;
  });
  const stored = async () => {
    const { data } = await session.call("get_meals", {});
    return data.items.find((item) => item.id === meal);
  };
  await named("reads it back", async () => {
    assert.equal((await stored())?.kcal, MEAL.kcal);
  });
  await named("is told every wrong field", async () => {
    const { isError, text, data } = await session.call("log_meal", { kcal: "500" });
    assert.deepEqual([isError, text, data], [true, VALIDATION, undefined]);
  });
  await named("is told of an unknown tool", async () => {
    const answer = await session.call("foo_bar", {});
    if (modern) {
      assert.equal(answer.code, -32602);
      assert.match(answer.message, /unknown tool: foo_bar$/);
    } else {
      assert.deepEqual([answer.isError, answer.text], [true, "unknown tool: foo_bar"]);
    }
  });
  await named("is refused a delete without a yes", async () => {
    const { isError, text } = await session.call("delete_meal", { meal_id: meal, confirm: false });
    assert.ok(isError);
    assert.match(text, /confirm: Invalid literal value, expected true$/);
    assert.ok(await stored(), "the meal is still there");
  });
  await session.close();
}
