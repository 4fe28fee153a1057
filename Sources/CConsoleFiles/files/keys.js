// Every key of the console, in one list that the help shows.

import { h } from "./dom.js";
import { dialog } from "./parts/dialog.js";

/** @typedef {{keys: string, title: string, run: () => void}} Binding */

/** @type {Map<string, Binding>} */
const bindings = new Map();
let prefix = "";
let prefixAt = 0;
const prefixMilliseconds = 1500;

/**
 * Binds a key, or two after another such as `g c`. The binding ends with the signal.
 * @param {string} keys
 * @param {string} title
 * @param {() => void} run
 * @param {AbortSignal} [signal]
 */
export function bind(keys, title, run, signal) {
  const binding = { keys, title, run };
  bindings.set(keys, binding);
  signal?.addEventListener("abort", () => {
    if (bindings.get(keys) === binding) {
      bindings.delete(keys);
    }
  });
}

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || isTyping(event)) {
    return;
  }
  if (document.querySelector("dialog[open]") !== null) {
    return;
  }
  const isFresh = performance.now() - prefixAt < prefixMilliseconds;
  const keys = prefix !== "" && isFresh ? `${prefix} ${event.key}` : event.key;
  prefix = "";
  const binding = bindings.get(keys);
  if (binding !== undefined) {
    event.preventDefault();
    binding.run();
  } else if ([...bindings.keys()].some((other) => other.startsWith(`${event.key} `))) {
    prefix = event.key;
    prefixAt = performance.now();
  }
}

/** @param {KeyboardEvent} event */
function isTyping(event) {
  const target = event.target;
  return target instanceof Element && event.key !== "Escape" &&
    target.closest("input, select, textarea, [contenteditable]") !== null;
}

export function showKeys() {
  dialog("Keys", h("dl", { class: "keys" },
    [...bindings.values()].flatMap(({ keys, title }) => [
      h("dt", null, keys.split(" ").flatMap((key, index) =>
        [index === 0 ? null : " then ", h("kbd", null, key)])),
      h("dd", null, title),
    ])));
}

export function listenToKeys() {
  document.addEventListener("keydown", pressed);
  bind("?", "Show the keys", showKeys);
}
