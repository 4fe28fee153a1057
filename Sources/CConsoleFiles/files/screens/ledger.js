// The world's money: what each account holds, the entries that moved it, and payments.

import { hrefOf } from "../address.js";
import { root } from "../command.js";
import { fill, h } from "../dom.js";
import { money, number, phrase, time } from "../format.js";
import { chip, customerLink, empty, id, tabs } from "../parts/basics.js";
import { choice, environments, filterBar } from "../parts/filters.js";
import { environmentOfSearch } from "../parts/suggest.js";
import { pagedTable, plainTable } from "../parts/table.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("../connection.js").World} World */
/** @typedef {{holder: string, name?: string, environment?: string, milliunits: number,
 *   currency: string}} Account */
/** @typedef {{number: number, at: number, kind: string, environment: string, currency: string,
 *   postings: {holder: string, name?: string, milliunits: number}[], reason?: string,
 *   reference: string, transactionId?: string}} Entry */
/** @typedef {{paymentId: string, account: string, environment: string, bundleId: string,
 *   productId: string, purpose: string, state: string, amountMilliunits: number,
 *   capturedMilliunits?: number, currency: string, askDate: number, tries: number, reason?: string,
 *   reference?: string, transactionId?: string, refunds: {refundId: string, state: string,
 *   amountMilliunits: number, reason?: string}[]}} Payment */

/**
 * A list of the ledger: what it has of rows, and how the address filters it.
 * @template T
 * @typedef {object} List
 * @property {string} title
 * @property {string} path
 * @property {string} name Of the rows in the answer.
 * @property {(row: T) => string} key
 * @property {(row: T) => string} [href]
 * @property {import("../parts/table.js").Column<T>[]} columns
 * @property {import("../parts/filters.js").Choice[]} choices
 * @property {string} [search]
 * @property {(filters: Record<string, string>) => import("../connection.js").Query} query
 * @property {(world: World) => HTMLElement} empty
 */

const pageSize = 50;
/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = { authorizing: "warn", capturing: "warn", voiding: "warn", captured: "good",
  declined: "warn", failed: "bad", refunded: "good" };
/** @type {Record<string, string>} Holders without a name, and the kind of their entries. */
const kindOf = { funding: "topUp", giftCodes: "giftCode", provider: "payment" };

const environment = choice("environment", "Environment", environments);

/** @type {List<Account>} */
const accounts = {
  title: "Accounts", path: "ledger/accounts", name: "accounts",
  key: ({ holder, name, environment, currency }) => [holder, name, environment, currency].join("/"),
  href: ({ holder, name, environment }) => hrefOf({ path: ["entries"],
    filters: holder === "customer" ? { q: name, environment }
      : holder === "developer" ? { developer: name } : { kind: kindOf[holder] } }),
  choices: [choice("holder", "Holder",
    ["developer", "customer", "funding", "giftCodes", "provider"])],
  query: ({ holder }) => ({ holder }),
  empty: (world) => empty("The ledger is empty. The sandbox charges nothing.",
    world, ["credit", "add", "buyer@example.com", "10", "--environment", "production"]),
  columns: [
    { title: "Account", cell: party },
    { title: "Environment", isWide: true, cell: ({ environment }) =>
      environment === undefined ? "–" : phrase(environment) },
    { title: "Balance", isNumber: true, cell: amount },
    { title: "Currency", isWide: true, cell: ({ currency }) => currency },
  ],
};

/** @type {List<Entry>} */
const entries = {
  title: "Entries", path: "ledger/entries", name: "entries", search: "Customer's account",
  key: (entry) => String(entry.number),
  choices: [choice("kind", "Kind",
    ["charge", "refund", "topUp", "correction", "giftCode", "payment", "payout"]), environment],
  query: ({ q, environment, kind, developer }) =>
    ({ order: "newest", account: q, environment, kind, developer }),
  empty: (world) => empty("No entry to show.",
    world, ["credit", "add", "buyer@example.com", "10", "--environment", "production"]),
  columns: [
    { title: "Time", cell: ({ at }) => time(at) },
    { title: "Kind", cell: ({ kind, reason }) => [chip(phrase(kind)),
      reason === undefined ? null : h("div", { class: "quiet" }, reason)] },
    { title: "Postings", cell: postings },
    { title: "Transaction", isWide: true,
      cell: ({ transactionId }) => transactionId && h("a", { href: hrefOf({ screen: "refunds",
        path: [transactionId] }) }, id(transactionId)) },
    { title: "Reference", isWide: true, cell: ({ reference }) => id(reference) },
    { title: "Number", isWide: true, isNumber: true, cell: (entry) => number(entry.number) },
  ],
};

/** @param {AbortSignal} signal @param {Entry[]} rows */
export function entriesTable(signal, rows) {
  return plainTable({ label: "Entries", signal, rows, empty: () => null,
    columns: entries.columns });
}

/**
 * @param {Pick<Payment, "amountMilliunits" | "capturedMilliunits" | "currency">} payment
 * @returns {import("../dom.js").Child[]}
 */
function paid({ amountMilliunits, capturedMilliunits, currency }) {
  return [money(amountMilliunits, currency), capturedMilliunits === undefined ||
    capturedMilliunits === amountMilliunits ? null
    : h("div", { class: "quiet" }, `captured ${money(capturedMilliunits, currency)}`)];
}

/** @type {List<Payment>} */
export const payments = {
  title: "Payments", path: "payments", name: "payments", key: ({ paymentId }) => paymentId,
  choices: [choice("state", "State",
    ["authorizing", "capturing", "captured", "declined", "voiding", "voided", "failed"])],
  query: ({ state }) => ({ state }),
  empty: () => empty("No payment was asked of a provider.",
    root, ["serve", "--payment-gateway", "URL", "--payment-secret-file", "FILE"]),
  columns: [
    { title: "Asked", cell: ({ askDate }) => time(askDate) },
    { title: "Payment", cell: ({ environment, account, productId, purpose }) => [
      h("div", null, customerLink(environment, account), " ",
        h("span", { class: "quiet" }, phrase(purpose).toLowerCase())),
      id(productId)] },
    { title: "State", cell: ({ state, reason, tries, ...payment }) => [
      chip(phrase(state), tones[state]), tries > 1 ? ` ${number(tries)} tries` : null,
      reason === undefined ? null : h("div", { class: "quiet" }, reason),
      h("div", { class: "narrow" }, paid(payment))] },
    { title: "Amount", isNumber: true, isWide: true, cell: paid },
    { title: "Refunds", isWide: true, cell: ({ refunds, currency }) => refunds.map((refund) =>
      h("div", null, chip(phrase(refund.state), tones[refund.state]), " ",
        money(refund.amountMilliunits, currency), " ", refund.reason, " ", id(refund.refundId))) },
    { title: "Ids", isWide: true, cell: ({ paymentId, reference, transactionId }) =>
      [paymentId, reference, transactionId].filter((text) => text !== undefined)
        .map((text) => h("div", null, id(text ?? ""))) },
  ],
};

/** @type {Record<string, List<any>>} */
const lists = { accounts, entries, payments };

/** @param {Context} context @returns {import("./index.js").View} */
export function show({ world, place, signal }) {
  const name = nameOf(place);
  const list = lists[name];
  let { filters } = place;
  const table = pagedTable({
    label: list.title, signal, key: list.key, href: list.href, columns: list.columns,
    empty: () => list.empty(world),
    load: async (after, signal) => {
      const query = { ...list.query(filters), after,
        limit: list === payments ? undefined : pageSize };
      const answer = await world.get(list.path, query, signal);
      return { rows: answer[list.name], next: answer.next };
    },
  });
  const about = h("p", { class: "note" });
  const draw = () => fill(about, filters.developer === undefined ? null
    : [`Only those of the developer account ${filters.developer}. `,
      h("a", { href: hrefOf({ path: [name] }) }, "Show all")]);
  draw();
  const chooseEnvironment = environmentOfSearch(world, signal);
  void chooseEnvironment(filters);
  return {
    element: h("div", null, h("h1", null, "Ledger"),
      tabs("Ledger", Object.entries(lists).map(([name, { title }]) => ({ title, path: [name] })),
        name),
      filterBar({ search: list.search, choices: list.choices, signal }), about, table.element),
    holds: (here) => nameOf(here) === name,
    update: (here) => {
      filters = here.filters;
      draw();
      void table.reload();
      void chooseEnvironment(filters);
    },
  };
}

/** @param {import("../address.js").Place} place */
function nameOf({ path }) {
  return path[0] in lists ? path[0] : "accounts";
}

/** @param {{holder: string, name?: string}} account */
function party({ holder, name }) {
  return [h("span", null, phrase(holder)), " ", name === undefined ? null : h("b", null, name)];
}

/** @param {{milliunits: number, currency: string}} account */
function amount({ milliunits, currency }) {
  return h("span", { class: milliunits < 0 ? "minus" : null }, money(milliunits, currency));
}

/**
 * The postings of an entry, which sum to nothing.
 * @param {Entry} entry
 */
function postings({ postings, currency }) {
  const sum = postings.reduce((sum, { milliunits }) => sum + milliunits, 0);
  return h("dl", { class: "postings" }, postings.flatMap((posting) => [
    h("dt", null, party(posting)),
    h("dd", null, amount({ ...posting, currency })),
  ]), h("dt", { class: "quiet" }, "Sum"), h("dd", { class: "quiet" }, money(sum, currency)));
}
