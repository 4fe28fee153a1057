// Lists of the backend, which end a page with `nextAfter`, and what its screens share.

import { hrefOf, setFilters } from "../address.js";
import { curl } from "../command.js";
import { h, uniqueID } from "../dom.js";
import { phrase } from "../format.js";
import { chip, codeBlock, keepFresh } from "../parts/basics.js";
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

/**
 * What an empty list says, with the request by which an app fills it.
 * @param {string} text
 * @param {string} path
 * @param {string | File} body
 * @param {boolean} [isOfUser] Whether the request carries the token of the app's user.
 */
export function emptyUntil(text, path, body, isOfUser = false) {
  return h("div", { class: "empty" }, h("p", null, text),
    codeBlock("curl", curl("POST", location.origin + path, body, isOfUser, "USER_TOKEN")));
}

/**
 * What a list says that purchases fill, with the request that sends one.
 * @param {string} text
 */
export function emptyOfPurchases(text) {
  return emptyUntil(`${text} Apps send purchases with the token that signing in returns. ` +
    "purchase.json has productId, transactionId, appVersion, and the receipt in base64 as " +
    "receiptData.", "/v1/receipts", new File([], "purchase.json"), true);
}
