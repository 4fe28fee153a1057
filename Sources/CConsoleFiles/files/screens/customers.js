// The customers of a world, and one customer with what can be done for it.

import { actionButton } from "../action.js";
import { goTo, hrefOf } from "../address.js";
import { fill, h } from "../dom.js";
import { money, number, phrase, time } from "../format.js";
import {
  chip, empty, facts, keepFresh, keepingPlace, loaded, saveButton, tabs as tabBar,
} from "../parts/basics.js";
import { choice, environments, filterBar } from "../parts/filters.js";
import { pagedTable } from "../parts/table.js";
import * as actions from "./customer-actions.js";
import { tabs } from "./customer-tabs.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {{name: string, environment: string, storefront: string, devicesSignedIn: number,
 *   needsApproval: boolean, interruptsPurchases: boolean, failsRenewals: boolean,
 *   lock?: {by: string, reason?: string, until?: number}, deletedAt?: number}} Account */

/** @param {Context} context */
export function show(context) {
  return context.place.path.length < 2 ? customers(context) : customer(context);
}

/** @param {Context} context @returns {import("./index.js").View} */
function customers({ world, place, signal }) {
  let { filters } = place;
  const list = pagedTable({
    label: "Customers", signal,
    key: (/** @type {Account} */ account) => `${account.environment}/${account.name}`,
    href: ({ environment, name }) => hrefOf({ path: [environment, name] }),
    empty: () => empty("No customer to show.", world, ["account", "add", "buyer@example.com"]),
    columns: [
      { title: "Customer", cell: ({ name }) => name },
      { title: "State", cell: states },
      { title: "Environment", isWide: true, cell: ({ environment }) => phrase(environment) },
      { title: "Storefront", isWide: true, cell: ({ storefront }) => storefront },
      { title: "Devices", isNumber: true, cell: (account) => number(account.devicesSignedIn) },
    ],
    load: async (after, signal) => {
      const { accounts, next } = await world.get("accounts", {
        order: "newest", limit: 50, after, search: filters.q, environment: filters.environment,
      }, signal);
      return { rows: accounts, next };
    },
  });
  const bar = filterBar({
    search: "Search customers", signal,
    choices: [choice("environment", "Environment", environments)],
    actions: [actionButton(world, actions.add(), list.reload)],
  });
  return {
    element: h("div", null, h("h1", null, "Customers"), bar, list.element),
    holds: (here) => here.path.length < 2,
    update: (here) => {
      filters = here.filters;
      void list.reload();
    },
  };
}

/** @param {Account} account */
function states(account) {
  const list = [
    account.deletedAt !== undefined && chip("Deleted", "bad"),
    account.lock !== undefined && chip("Locked", "bad"),
    account.needsApproval && chip("Ask to Buy", "warn"),
    account.interruptsPurchases && chip("Interrupted", "warn"),
    account.failsRenewals && chip("Renewals fail", "warn"),
  ].filter((state) => state !== false);
  return list.length === 0 ? chip("Open", "good") : list;
}

/** @param {Context} context @returns {import("./index.js").View} */
function customer({ world, place, signal }) {
  const [environment, name] = place.path;
  const base = [environment, name];
  const page = loaded(signal, async (signal) =>
    await world.get("accounts/details", { account: name, environment }, signal), (details) => {
    const account = /** @type {Account} */ (details.account);
    /** @param {import("../action.js").Action} action */
    const button = (action) => actionButton(world, action,
      action.confirm === undefined ? changed : () => goTo({ path: [] }));
    const main = [actions.buy(world, account), actions.restore(world, account),
      actions.settings(account)];
    const save = saveButton("Export", `${name}.json`, () => world.request("GET",
      "accounts/export", { query: { account: name, environment }, isText: true, signal }));
    return [
      h("p", null, states(account)),
      account.deletedAt !== undefined ? save : h("div", { class: "buttons" }, main.map(button),
        h("details", { class: "others" }, h("summary", null, "More actions"),
          h("div", { class: "buttons" }, actions.others(world, account).map(button), save))),
      facts([
        ["Environment", phrase(environment)], ["Storefront", account.storefront],
        ["Made", time(details.madeAt)], ["Deleted", account.deletedAt && time(account.deletedAt)],
        ["Locked", lockText(account)], ["Credit", credit(details.balances)],
        ["Devices signed in", number(account.devicesSignedIn)],
        ["Purchases", countText(details.transactions)],
        ["Subscriptions", subscriptionText(details.subscriptions)],
        ["Waiting purchases", details.waitingPurchases.count > 0
          ? chip(countText(details.waitingPurchases), "warn") : null],
      ]),
    ];
  });
  const bar = h("div");
  const content = h("div");
  /** @type {{at: string, stop: AbortController,
   *   view: import("./customer-tabs.js").Shown} | null} */
  let open = null;
  const changed = () => {
    void page.reload();
    open?.view.reload();
  };
  /** @param {import("../address.js").Place} here */
  const update = (here) => {
    const [, , tab = "purchases", ...rest] = here.path;
    keepingPlace(bar, () => fill(bar, tabBar("Customer", tabs.map(({ name, title }) =>
      ({ title, path: name === "purchases" ? base : [...base, name] })),
    tab === "purchases" ? name : tab)));
    const at = here.path.join("/");
    if (open?.at === at) {
      return;
    }
    open?.stop.abort();
    const stop = new AbortController();
    const { show } = tabs.find(({ name }) => name === tab) ?? tabs[0];
    const view = show({ world, signal: stop.signal, name, environment, base, rest, changed });
    open = { at, stop, view };
    fill(content, view.element);
  };
  signal.addEventListener("abort", () => open?.stop.abort());
  keepFresh(() => {
    void page.refresh();
    open?.view.refresh();
  }, signal);
  update(place);
  return {
    element: h("div", null,
      h("p", null, h("a", { href: hrefOf({ path: [] }) }, "Customers")),
      h("h1", null, name), h("div", { class: "card" }, page.element), bar, content),
    holds: (here) => here.path[0] === environment && here.path[1] === name,
    update,
  };
}

/** @param {Account} account */
function lockText({ lock }) {
  return lock === undefined ? null : [
    lock.by === "owner" ? "By the owner" : "After wrong passwords",
    lock.reason ? `: ${lock.reason}` : null,
    lock.until === undefined ? null : h("span", null, ", until ", time(lock.until))];
}

/** @param {{milliunits: number, currency: string}[]} balances */
function credit(balances) {
  return balances.length === 0 ? "None"
    : balances.map(({ milliunits, currency }) => money(milliunits, currency)).join(", ");
}

/** @param {{count: number, isExact: boolean}} count */
function countText({ count, isExact }) {
  return `${number(count)}${isExact ? "" : " or more"}`;
}

/** @param {Record<string, any>} counts */
function subscriptionText({ isExact, ...counts }) {
  const list = Object.entries(counts).filter(([, count]) => count > 0);
  return list.length === 0 ? "None"
    : list.map(([state, count]) => `${number(count)} ${phrase(state).toLowerCase()}`).join(", ") +
      (isExact ? "" : ", or more");
}
