// What waits for somebody: approvals, interrupted purchases, payments and price questions.

import { actionButtons } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { fill, h } from "../dom.js";
import { counted, money, number, phrase, time } from "../format.js";
import {
  chip, customerLink, empty, facts, fresh, id, keepFresh, tabs,
} from "../parts/basics.js";
import { filterBar } from "../parts/filters.js";
import { matching, pagedTable, storeTable } from "../parts/table.js";
import * as actions from "./approval-actions.js";
import { payments as paymentList } from "./ledger.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("../parts/basics.js").Tone} Tone */
/** @typedef {{number: number, account: string, environment: string, bundleId: string,
 *   productId: string, quantity: number, askedAt: number, currency?: string,
 *   priceMilliunits?: number, shownCurrency?: string, shownPriceMilliunits?: number}} Approval */
/** @typedef {{number: number, account: string, environment: string, bundleId: string,
 *   productId: string, currency: string, oldPriceMilliunits: number, newPriceMilliunits: number,
 *   state: string, askedAt: number, answeredAt?: number, withdrawnAt?: number}} PriceConsent */
/** @typedef {{name: string, environment: string, interruptsPurchases: boolean,
 *   waiting?: {count: number, isExact: boolean}}} Interrupted */
/** @typedef {import("./index.js").Part} Part */

/** @type {Record<string, {title: string, show: (context: Context) => Part}>} */
const parts = {
  "ask-to-buy": { title: "Ask to Buy", show: approvals },
  interrupted: { title: "Interrupted", show: interrupted },
  payments: { title: "Payments", show: payments },
  "price-consents": { title: "Price consents", show: priceConsents },
};

/** @type {Record<string, Tone>} */
const tones = {
  pending: "warn", agreed: "good", declined: "bad",
};

const interruptedMax = 20;

/** @param {Context} context @returns {import("./index.js").View} */
export function show(context) {
  const { path } = context.place;
  const name = path[0] in parts ? path[0] : "ask-to-buy";
  const part = name === "price-consents" && path[1] !== undefined
    ? priceConsent(context, path[1]) : parts[name].show(context);
  const bar = tabs("Approvals", Object.entries(parts).map(([name, { title }]) =>
    ({ title, path: [name] })), name);
  return {
    element: h("div", null, h("h1", null, "Approvals"), bar, part.element),
    holds: (here) => part.update !== undefined && here.path[0] === path[0],
    update: ({ filters }) => part.update?.(filters),
  };
}

/** @param {string} state */
function stateChip(state) {
  return chip(phrase(state), tones[state]);
}

/** @param {Context} context @returns {Part} */
function approvals({ world, signal }) {
  /** @param {Approval} approval */
  const price = (approval) => {
    const { priceMilliunits, currency, shownPriceMilliunits, shownCurrency } = approval;
    const now = priceMilliunits === undefined ? "Not for sale"
      : money(priceMilliunits, currency ?? "");
    const shown = shownPriceMilliunits === undefined ? now
      : money(shownPriceMilliunits, shownCurrency ?? "");
    return shown === now ? now : [now, h("div", { class: "help" }, `${shown} on the sheet`)];
  };
  const list = storeTable({
    world, path: "approvals", label: "Purchases that wait for approval", signal,
    key: (/** @type {Approval} */ approval) => String(approval.number),
    empty: () => empty("No purchase waits for approval. Those of customers with Ask to Buy do.",
      world, ["account", "approval", "buyer@example.com", "on"]),
    columns: [
      { title: "Asked", isWide: true, cell: ({ askedAt }) => time(askedAt) },
      { title: "Customer", cell: ({ environment, account, productId }) =>
        [customerLink(environment, account), h("div", { class: "narrow" }, id(productId))] },
      { title: "Product", isWide: true, cell: ({ productId, quantity }) =>
        [id(productId), quantity > 1 && ` × ${quantity}`] },
      { title: "Price now", isNumber: true, cell: price },
      { title: "Environment", isWide: true, cell: ({ environment }) => phrase(environment) },
      { title: "Answer", cell: (approval) =>
        actionButtons(world, actions.ofApproval(approval)) },
    ],
  });
  const bar = actionButtons(world, [actions.change(world, "needsApproval")]);
  return { element: h("div", null, bar, list.element) };
}

/** @param {Context} context @returns {Part} */
function interrupted({ world, signal }) {
  const note = h("p", { class: "note" });
  const list = pagedTable({
    label: "Customers whose purchases are interrupted", signal,
    key: (/** @type {Interrupted} */ { environment, name }) => `${environment}/${name}`,
    empty: () => empty("Nobody's purchases are interrupted.",
      world, ["account", "interrupt", "buyer@example.com", "on"]),
    columns: [
      { title: "Customer", cell: ({ environment, name }) => customerLink(environment, name) },
      { title: "Environment", isWide: true, cell: ({ environment }) => phrase(environment) },
      { title: "Purchases waiting", isNumber: true, cell: ({ waiting }) =>
        waiting === undefined ? "–" : number(waiting.count) + (waiting.isExact ? "" : "+") },
      { title: "Answer", cell: (customer) =>
        actionButtons(world, [actions.resolve(world, customer)]) },
    ],
    load: async (after, signal) => {
      const { environments } = await world.get("overview", {}, signal);
      fill(note, environments.map((/** @type {any} */ { environment, interruptions }) =>
        `${phrase(environment)}: ${counted(interruptions.count, "interrupted purchase")}. `));
      /** @param {string | number} [after] */
      const load = async (after) => {
        const { accounts, next } = await world.get("accounts", { order: "newest", after }, signal);
        return { rows: /** @type {Interrupted[]} */ (accounts), next };
      };
      const { rows, next } = await matching(load, (row) => row.interruptsPurchases, after);
      const counts = await Promise.all(rows.slice(0, interruptedMax).map(
        ({ name, environment }) => world.get("accounts/details",
          { account: name, environment }, signal)));
      return {
        rows: rows.map((row, index) => ({ ...row, waiting: counts[index]?.waitingPurchases })),
        next,
      };
    },
  });
  keepFresh(list.refresh, signal);
  const bar = actionButtons(world,
    [actions.change(world, "interruptsPurchases"), actions.resolve(world)]);
  return { element: h("div", null, bar, note, list.element) };
}

/** @param {Context} context @returns {Part} */
function payments({ world, place, signal }) {
  let { filters } = place;
  const { path, title: label, key, columns, choices, query, empty } = paymentList;
  const list = storeTable({ world, path, query: () => query(filters), label, signal, key, columns,
    empty: () => empty(world) });
  return {
    element: h("div", null, filterBar({ signal, choices }), list.element),
    update: (here) => {
      filters = here;
      void list.reload();
    },
  };
}

/** @param {PriceConsent} consent */
function prices({ oldPriceMilliunits, newPriceMilliunits, currency }) {
  return `${money(oldPriceMilliunits, currency)} → ${money(newPriceMilliunits, currency)}`;
}

/** @param {Context} context @returns {Part} */
function priceConsents({ world, signal }) {
  const list = storeTable({
    world, path: "price-consents", member: "priceConsents", label: "Price consents", signal,
    key: (/** @type {PriceConsent} */ consent) => String(consent.number),
    href: ({ number }) => hrefOf({ path: ["price-consents", String(number)] }),
    empty: () => empty("Nobody was asked about a price.",
      world, ["price-consent", "ask", "buyer@example.com", "PRODUCT", "2.99"]),
    columns: [
      { title: "Asked", isLink: true, cell: ({ askedAt }) => time(askedAt) },
      { title: "Customer", cell: ({ account }) => account },
      { title: "Product", isWide: true, cell: ({ productId }) => id(productId) },
      { title: "Price", isNumber: true, cell: prices },
      { title: "State", cell: ({ state }) => stateChip(state) },
      { title: "Answer", isWide: true, cell: (consent) =>
        actionButtons(world, actions.ofPriceConsent(consent)) },
    ],
  });
  const bar = actionButtons(world, [actions.askPrice(world)]);
  return { element: h("div", null, bar, list.element) };
}

/** @param {Context} context @param {string} name @returns {Part} */
function priceConsent({ world, signal }, name) {
  const element = fresh(signal, (signal) => world.get(at`price-consents/${name}`, {}, signal),
    (/** @type {PriceConsent} */ consent) => [
      h("h2", null, `Price consent ${name}`),
      actionButtons(world, actions.ofPriceConsent(consent)),
      facts([
        ["State", stateChip(consent.state)], ["Price", prices(consent)],
        ["Customer", customerLink(consent.environment, consent.account)],
        ["Environment", phrase(consent.environment)], ["App", id(consent.bundleId)],
        ["Product", id(consent.productId)], ["Asked", time(consent.askedAt)],
        ["Answered", consent.answeredAt && time(consent.answeredAt)],
        ["Withdrawn", consent.withdrawnAt && time(consent.withdrawnAt)],
      ]),
    ]);
  return { element };
}
