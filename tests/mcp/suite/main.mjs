// Everything that outside clients and checkers say about Almanac's MCP surface.
//   node suite/main.mjs ALMANAC FIXTURE PYTHON [RESULTS]
import { join } from "node:path";
import { clients } from "./clients.mjs";
import { conformance } from "./conformance.mjs";
import { examples } from "./examples.mjs";
import { inspector } from "./inspector.mjs";
import { endAll } from "./processes.mjs";
import { close, failed } from "./report.mjs";
import { almanac, fixture } from "./servers.mjs";

const [almanacBinary, fixtureBinary, python, results = join(import.meta.dirname, "../results")] = process.argv.slice(2);
if (!python) {
  console.error("usage: main.mjs ALMANAC FIXTURE PYTHON [RESULTS]");
  process.exit(2);
}

/** A part that cannot even begin is a failure, and the other parts still run. */
async function part(name, work) {
  try {
    await work();
  } catch (error) {
    failed(name, error?.stack ?? error);
  }
}

let house;
let stage;
await part("the fixture starts", async () => (stage = await fixture(fixtureBinary)));
await part("almanac starts", async () => (house = await almanac(almanacBinary)));
if (stage) await part("conformance", () => conformance(stage.url, results));
if (house) await part("examples", () => examples(almanacBinary));
if (house) await part("inspector", () => inspector(house));
if (house && stage) await part("clients", () => clients(house, stage, python));
endAll();
await house?.remove();
process.exit(close());
