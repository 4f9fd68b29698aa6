// The rows that the operations' examples name, told on the host (the same story as almanac/tests/black_box/sweeps/story.rs).
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "./processes.mjs";

export const PERSON = "ana@example.org";

const meal = (day, name, kcal) => ({ eaten_at: `${day}T12:30:00`, name, kcal, protein_g: 25, carb_g: 50, fat_g: 18 });

/** A data folder with the story in it. */
export async function told(binary) {
  const data = await folder();
  const env = { ALMANAC_DATA: data };
  const run = (command, input) =>
    must(binary, [command, "--as", PERSON, "--json", JSON.stringify(input), "--output", "json"], { env });
  await must(binary, ["create-person", PERSON, "--name", "Ana", "--timezone", "America/Toronto"], { env });
  await must(binary, ["create-access-token", "--person", PERSON, "--name", "old", "--scope", "profile:read", "--output", "text"], { env });
  await run("log-meal", meal("2026-05-23", "Lentil soup", 520));
  await run("log-meal", meal("2026-05-24", "Lentil soup", 480));
  await run("log-meal", { name: "Bread", kcal: 210, protein_g: 7, carb_g: 40, fat_g: 2 });
  await run("log-weight", { measured_on: "2026-05-20", weight: 80.4, unit: "kg" });
  await run("log-weight", { measured_on: "2026-05-24", weight: 80.0, unit: "kg" });
  return data;
}

/** A copy of a data folder that nothing serves. */
export async function copied(data) {
  const copy = await folder();
  await cp(data, copy, { recursive: true });
  return copy;
}

export const removed = (data) => rm(data, { recursive: true, force: true });

const folder = () => mkdtemp(join(tmpdir(), "almanac-story-"));
