// Lists of the backend, which end a page with `nextAfter`, and what its screens share.

import { hrefOf, setFilters } from "../address.js";
import { h, uniqueID } from "../dom.js";
import { phrase } from "../format.js";
import { chip, keepFresh } from "../parts/basics.js";
import { pagedTable } from "../parts/table.js";

/** @typedef {import("../connection.js").World} World */
/** @typedef {import("../connection.js").Query} Query */

/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = {
  granted: "good", alreadyGranted: "good", kept: "warn", received: "warn", refused: "bad",
  stalled: "bad", active: "good", gracePeriod: "warn", billingRetry: "warn", revoked: "bad",
  unconfirmed: "warn",
};

/** @param {string} state */
export function stateChip(state) {
  return chip(phrase(state), tones[state]);
}

/** @param {string} name */
export function userLink(name) {
  return h("a", { href: hrefOf({ screen: "users", path: [name] }) }, name);
}

/**
 * @template T
 * @param {import("../parts/table.js").TableOptions<T> & {world: World, path: string,
 *   query: () => Query}} options
 */
export function backendTable({ world, path, query, ...options }) {
  const list = pagedTable({
    ...options,
    load: async (after, signal) => {
      const answer = await world.get(path, { ...query(), after }, signal);
      return { rows: /** @type {T[]} */ (answer[path]), next: answer.nextAfter };
    },
  });
  keepFresh(list.refresh, options.signal);
  return list;
}

/**
 * Exact words to look for, each a filter of the address.
 * @param {Record<string, string>} filters
 * @param {[name: string, label: string][]} words
 */
export function lookUp(filters, words) {
  const fields = words.map(([name, label]) => h("input", {
    type: "search", id: uniqueID(name), name, value: filters[name] ?? "", placeholder: label,
    "aria-label": label, autocomplete: "off", spellcheck: "false" }));
  return h("form", { class: "filters", role: "search",
    onsubmit: (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      setFilters(Object.fromEntries(fields.map(({ name, value }) => [name, value.trim()])));
    } }, fields, h("button", { type: "submit" }, "Look up"));
}
