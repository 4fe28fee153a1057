// What can be done with worlds.

import { at } from "../connection.js";

/** @typedef {import("../action.js").Action} Action */

const replaced = "Every device must register again, and earlier receipts are no longer valid.";

/** @param {string} name */
const consent = (name) => name === "default" ? "--yes" : null;

/** @returns {Action} */
export function make() {
  return {
    title: "New test session",
    fields: [
      { name: "name", label: "Name", isOptional: true, help: "Without one, the store chooses." },
      { name: "sandboxName", label: "The sandbox's name in signed data", type: "choice",
        choices: [["Sandbox", "Sandbox"], ["Xcode", "Xcode"]] },
    ],
    request: ({ name, sandboxName }) => ({ method: "POST", path: "worlds",
      body: { name: name || undefined, sandboxName } }),
    command: ({ name, sandboxName }) =>
      ["world", "make", name || null, "--sandbox-name", sandboxName],
    errors: { badName: "name", worldExists: "name" },
    done: ({ name }) => `Made ${name}`,
  };
}

/** @returns {Action} */
export function seed() {
  return {
    title: "Seed from a file",
    text: "Makes a world from a seed, a JSON file.",
    confirm: ({ name, replaces }) => replaces ? name : undefined,
    fields: [
      { name: "file", label: "Seed (.json)", type: "file" }, { name: "name", label: "Name" },
      { name: "replaces", label: "Replace the world of that name", type: "switch" },
    ],
    request: ({ file, name, replaces }) => ({ method: "PUT", path: at`worlds/${name}`,
      query: { replace: replaces || undefined }, body: file }),
    command: ({ file, name, replaces }) =>
      ["world", "seed", [file.name, name], replaces && "--replace", replaces && consent(name)],
    errors: { badSeed: "file", badName: "name", worldExists: "name" },
    done: ({ name }) => `Made ${name}`,
  };
}

/** @param {string} world @returns {Action} */
export function snapshot(world) {
  return {
    title: "Take a snapshot",
    fields: [{ name: "name", label: "Name", isOptional: true,
      help: "Without one, the store chooses." }],
    request: ({ name }) => ({ method: "POST", path: at`worlds/${world}/snapshots`,
      body: { name: name || undefined } }),
    command: ({ name }) => ["world", "snapshot", world, name || null],
    errors: { badName: "name", snapshotExists: "name" },
    done: ({ name }) => `Took snapshot ${name}`,
  };
}

/** @param {string} world @param {string} name @returns {Action} */
export function restore(world, name) {
  return {
    title: `Restore ${name}`, label: "Restore", confirm: world,
    text: `Replaces the world ${world} with the snapshot. ${replaced}`,
    request: () => ({ method: "POST", path: at`worlds/${world}/restore`,
      body: { snapshot: name } }),
    command: () => ["world", "restore", world, name, consent(world)],
    done: () => `Restored ${name}`,
  };
}

/** @param {string} world @param {string} name @returns {Action} */
export function removeSnapshot(world, name) {
  return {
    title: `Delete snapshot ${name}`, label: "Delete", confirm: name,
    request: () => ({ method: "DELETE", path: at`worlds/${world}/snapshots/${name}` }),
    command: () => ["world", "delete-snapshot", world, name],
  };
}

/** @param {string} world @returns {Action} */
export function reset(world) {
  return {
    title: "Reset", confirm: world,
    text: `Replaces the world with an empty one. ${replaced}`,
    fields: [{ name: "keepCatalogue", label: "Keep the catalogue", type: "switch", value: true }],
    request: (body) => ({ method: "POST", path: at`worlds/${world}/reset`, body }),
    command: ({ keepCatalogue }) =>
      ["world", "reset", world, keepCatalogue && "--keep-catalog", consent(world)],
    done: () => `Emptied ${world}`,
  };
}

/** @param {string} world @returns {Action} */
export function remove(world) {
  return {
    title: "Delete", confirm: world,
    text: "Deletes the test session with all its data and snapshots.",
    request: () => ({ method: "DELETE", path: at`worlds/${world}` }),
    command: () => ["world", "delete", world],
    done: () => `Deleted ${world}`,
  };
}
