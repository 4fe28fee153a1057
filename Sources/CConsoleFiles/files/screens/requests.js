// Requests as they come, the refusals among them, and one request in full.

import { setFilters } from "../address.js";
import { curl, root } from "../command.js";
import { addressOf, at } from "../connection.js";
import { fill, h } from "../dom.js";
import { duration, phrase, size, time } from "../format.js";
import {
  codeBlock, copyButton, empty, facts, id, keepingPlace, loaded, statusChip,
} from "../parts/basics.js";
import { liveList } from "../parts/live.js";
import { whyButton } from "../refusals.js";

/** @typedef {import("../connection.js").World} World */
/** @typedef {{number: number, request: string, at: number, method: string, path: string,
 *   environment?: string, status: number, code?: string, why?: string, microseconds: number,
 *   bytes: number, account?: string, device?: string, bundleId?: string}} Entry */
/** @typedef {{text?: string, bytes: number, isCut: boolean, sha256?: string}} Body */
/** @typedef {Entry & {query?: string, headers: {name: string, value: string}[],
 *   requestBody?: Body, answerBody?: Body, lines: {level: string, event: string,
 *   fields: Record<string, string>}[]}} Details */

/** @param {import("./index.js").Context} context */
export function requests(context) {
  const counts = refusalCounts();
  return liveList({
    context, path: "activity", tab: "requests", label: "Requests",
    search: "Search path, code or request id",
    about: "Requests that this server answered. A store with several servers has more.",
    choices: [{ name: "of", label: "Show",
      choices: [["", "Apps and servers"], ["all", "Also control requests"]] }],
    rows: (answer) => /** @type {Entry[]} */ (answer.requests),
    columns: [
      { title: "Time", cell: (entry) => time(entry.at, "clock") },
      { title: "Request", isLink: true, cell: (entry) =>
        h("span", { class: "request" }, h("b", null, entry.method), " ", entry.path) },
      { title: "Answer", cell: (entry) => statusChip(entry.status, entry.code) },
      { title: "Why", isWide: true, cell: (entry) => entry.why },
      { title: "Customer", isWide: true, cell: (entry) => entry.account },
      { title: "Took", isWide: true, isNumber: true,
        cell: (entry) => duration(entry.microseconds) },
    ],
    query: ({ q, code }) => ({ search: q ?? code }),
    matches: (entry, filters) => isShown(entry, filters) &&
      (filters.code === undefined || entry.code === filters.code),
    counts: (entries, filters) => counts(
      entries.filter((entry) => isShown(entry, filters)), filters.code),
    empty: () => empty("No request to show. Those of your app and your server appear as they come.",
      root, ["receipt", "verify", "FILE",
        "--url", `${addressOf(context.world)}/sandbox`]),
    inspect: (number, signal) => loaded(signal,
      (signal) => context.world.get(at`activity/${number}`, {}, signal),
      (entry) => details(context.world, entry)).element,
  });
}

/** @param {Entry} entry @param {Record<string, string>} filters */
function isShown({ path }, { of }) {
  return of === "all" || !path.includes("/control/");
}

/** The refusals by code, as buttons that stay while requests come: so each can be clicked. */
function refusalCounts() {
  const group = h("div", { role: "group", "aria-label": "Refusals" });
  /** @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  /** @param {string} code */
  const buttonOf = (code) => {
    /** @type {HTMLButtonElement} */
    const button = buttons.get(code) ?? h("button", { type: "button", class: "count",
      onclick: () => setFilters({ code: button.ariaPressed === "true" ? null : code }) });
    buttons.set(code, button);
    return button;
  };
  /** @param {Entry[]} entries @param {string | undefined} chosen */
  return (entries, chosen) => {
    /** @type {Map<string, number>} */
    const counts = new Map(chosen === undefined ? [] : [[chosen, 0]]);
    for (const { code } of entries) {
      if (code !== undefined) {
        counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
    const list = [...counts].sort((a, b) => b[1] - a[1]).map(([code, count]) => {
      const button = buttonOf(code);
      button.ariaPressed = String(code === chosen);
      fill(button, `${code} × ${count}`);
      return button;
    });
    if (list.length !== group.children.length ||
      list.some((button, index) => group.children[index] !== button)) {
      keepingPlace(group, () => fill(group, list));
    }
    return list.length === 0 ? null : group;
  };
}

/** @param {World} world @param {Details} entry */
function details(world, entry) {
  const url = location.origin + entry.path + (entry.query ? `?${entry.query}` : "");
  const hasToken = entry.path.includes("/control/");
  // The store keeps no headers of a request of which it keeps the list's line alone.
  const isWhole = entry.headers.length > 0;
  const missing = isWhole ? missingIn(entry, hasToken) : null;
  return [
    h("h2", { class: "request" }, h("b", null, entry.method), " ", entry.path),
    h("p", null, statusChip(entry.status, entry.code)),
    entry.why === undefined ? null : h("p", { class: "why" }, entry.why),
    entry.code === undefined ? null : h("p", null, whyButton(world, entry.code, entry.why)),
    facts([
      ["Time", time(entry.at)], ["Took", duration(entry.microseconds)],
      ["Answer", size(entry.bytes)], ["Query", entry.query && id(entry.query)],
      ["Environment", entry.environment && phrase(entry.environment)],
      ["Customer", entry.account], ["Device", entry.device && id(entry.device)],
      ["App", entry.bundleId && id(entry.bundleId)], ["Request id", id(entry.request)],
    ]),
    missing === null ? h("p", { class: "help" },
      "It cannot be given as curl: it was not kept as a whole.") : h("div", null,
      copyButton("Copy as curl", () => curl(entry.method, url, entry.requestBody?.text, hasToken)),
      missing === "" ? null : h("p", { class: "help" }, missing)),
    h("h3", null, "Log"),
    entry.lines.length === 0 ? h("p", { class: "quiet" }, isWhole
      ? "The log has nothing about it."
      : "The store kept only the list's line of this request.")
      : h("ol", { class: "log" }, entry.lines.map(({ level, event, fields }) =>
        h("li", null, h("b", null, event), ` ${level} `, Object.entries(fields).map(
          ([name, value]) => h("span", null, `${name}: ${value} `))))),
    body("Request body", entry.requestBody), body("Answer", entry.answerBody),
    h("details", null, h("summary", null, "Headers"),
      facts(entry.headers.map(({ name, value }) => [name, id(value)]))),
  ];
}

/**
 * What the curl line lacks, as a sentence; null if the request cannot be given at all.
 * @param {Details} entry @param {boolean} hasToken
 */
function missingIn({ requestBody, headers, path, query }, hasToken) {
  if (requestBody?.isCut || requestBody?.text === undefined && (requestBody?.bytes ?? 0) > 0
    || path.endsWith("…") || query?.endsWith("…")) {
    return null;
  }
  const parts = [
    /<\d+ bytes/.test(requestBody?.text ?? "") && "receipts and secrets of the body",
    /<\d+ bytes/.test(query ?? "") && "secrets of the query",
    !hasToken && headers.some(({ name }) => name.toLowerCase() === "authorization") &&
      "the client's token",
  ].filter((part) => part !== false);
  return parts.length === 0 ? "" : `To be filled in, since they are not kept: ${parts.join(", ")}.`;
}

/** @param {string} title @param {Body} [body] */
function body(title, body) {
  if (body === undefined) {
    return null;
  }
  return h("div", null, h("h3", null, title),
    body.isCut ? h("p", { class: "quiet" }, `Cut: it has ${size(body.bytes)}.`) : null,
    body.text === undefined
      ? h("p", { class: "quiet" }, `Not kept as text: ${size(body.bytes)}.`)
      : codeBlock(title, pretty(body.text)),
    body.sha256 === undefined ? null : h("p", { class: "help" }, "SHA-256 ", id(body.sha256)));
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
