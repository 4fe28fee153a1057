// What one customer has: purchases, subscriptions, devices, credit, a family, and data of apps.

import { actionButton } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { money, number, phrase, size, time } from "../format.js";
import {
  chip, commandBlock, customerLink, empty, facts, id, loaded, saveButton,
} from "../parts/basics.js";
import { pagedTable, plainTable } from "../parts/table.js";
import { whyButton } from "../refusals.js";
import * as actions from "./customer-actions.js";

/**
 * @typedef {object} Part
 * @property {import("../connection.js").World} world
 * @property {AbortSignal} signal
 * @property {string} environment
 * @property {string} name
 * @property {string[]} base The customer's path.
 * @property {string[]} rest What of the tab, such as a device.
 * @property {() => void} changed
 */
/** @typedef {{element: HTMLElement, reload: () => void, refresh: () => void}} Shown */

/** @type {{name: string, title: string, show: (part: Part) => Shown}[]} */
export const tabs = [
  { name: "purchases", title: "Purchases", show: purchases },
  { name: "subscriptions", title: "Subscriptions", show: subscriptions },
  { name: "devices", title: "Devices", show: (part) =>
    part.rest.length === 0 ? devices(part) : device(part) },
  { name: "credit", title: "Credit", show: credit },
  { name: "family", title: "Family", show: family },
  { name: "apps", title: "Apps", show: (part) => part.rest.length === 0 ? apps(part) : app(part) },
];

/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = { finished: "good", done: "good", active: "good", gracePeriod: "warn",
  billingRetry: "warn", unfinished: "warn", deferred: "warn", interrupted: "warn",
  refused: "bad", revoked: "bad" };

/** @param {string} state */
const state = (state) => chip(phrase(state), tones[state]);

/** @param {string} transaction */
const transactionLink = (transaction) =>
  h("a", { href: hrefOf({ screen: "refunds", path: [transaction] }) }, id(transaction));

/** @param {string} original */
const subscriptionLink = (original) => hrefOf({ screen: "subscriptions", path: [original] });

/** @param {Part} part @returns {Shown} */
function purchases({ world, signal, environment, name }) {
  return pagedTable({
    label: "Purchases", signal, key: (/** @type {any} */ sale) => sale.transactionId,
    empty: () => empty("No purchases yet.",
      world, ["buy", "PRODUCT", "--account", name, "--environment", environment]),
    columns: [
      { title: "Bought", cell: (sale) => time(sale.purchasedAt) },
      { title: "Product", cell: (sale) => [id(sale.productId),
        sale.quantity > 1 ? ` × ${sale.quantity}` : null] },
      { title: "State", cell: (sale) => [state(sale.state),
        sale.isShared ? chip("Shared") : null] },
      { title: "Transaction", isWide: true, cell: (sale) => transactionLink(sale.transactionId) },
      { title: "Subscription", isWide: true, cell: (sale) => sale.kind === "autoRenewable"
        ? h("a", { href: subscriptionLink(sale.originalTransactionId) }, "Open") : "–" },
      { title: "Price", isWide: true, isNumber: true,
        cell: (sale) => money(sale.priceMilliunits, sale.currency) },
    ],
    load: async (after, signal) => {
      const { transactions, next } = await world.get("transactions",
        { account: name, environment, order: "newest", limit: 50, after }, signal);
      return { rows: transactions, next };
    },
  });
}

/** @param {Part} part @returns {Shown} */
function subscriptions({ world, signal, environment, name }) {
  return pagedTable({
    label: "Subscriptions", signal, key: (/** @type {any} */ row) => row.originalTransactionId,
    href: (row) => subscriptionLink(row.originalTransactionId),
    empty: () => empty("No subscriptions.",
      world, ["buy", "PRODUCT", "--account", name, "--environment", environment]),
    columns: [
      { title: "Product", cell: (row) => id(row.productId) },
      { title: "State", cell: (row) => state(row.state) },
      { title: "Renews", cell: (row) => row.autoRenews ? "Yes" : "No" },
      { title: "Until", isWide: true, cell: (row) => time(row.expiresDate) },
      { title: "Price", isWide: true, isNumber: true,
        cell: (row) => money(row.priceMilliunits, row.currency) },
    ],
    load: async (after, signal) => {
      const { subscriptions, next } = await world.get("subscriptions",
        { account: name, environment, after }, signal);
      return { rows: subscriptions, next };
    },
  });
}

/** @param {Part} part @returns {Shown} */
function devices({ world, signal, environment, name, base }) {
  return pagedTable({
    label: "Devices", signal, key: (/** @type {any} */ row) => String(row.deviceId),
    href: (row) => hrefOf({ path: [...base, "devices", String(row.deviceId)] }),
    empty: () => empty("The customer is not signed in on any device.",
      world, ["buy", "PRODUCT", "--account", name, "--environment", environment]),
    columns: [
      { title: "Device", cell: (row) => number(row.deviceId) },
      { title: "App", cell: (row) => id(row.bundleId) },
      { title: "Version", cell: (row) => row.appVersion },
      { title: "Registered", isWide: true, cell: (row) => time(row.registeredAt) },
      { title: "GUID", isWide: true, cell: (row) => id(row.guid) },
    ],
    load: async (after, signal) => {
      const { devices, next } = await world.get("devices",
        { account: name, environment, order: "newest", limit: 50, after }, signal);
      return { rows: devices, next };
    },
  });
}

/** @param {Part} part @returns {Shown} */
function device({ world, signal, environment, name, base, rest }) {
  const path = at`devices/${rest[0]}`;
  const head = loaded(signal, (signal) => world.get(path, { limit: 1 }, signal), ({ device }) => [
    h("h2", null, `Device ${number(device.deviceId)}`),
    facts([
      ["App", id(device.bundleId)], ["Version", device.appVersion], ["GUID", id(device.guid)],
      ["Environment", phrase(device.environment)], ["Registered", time(device.registeredAt)],
      ["Locked until", device.lockedUntil && time(device.lockedUntil)],
      ["Customers", device.accounts.map((/** @type {string} */ name) =>
        h("div", null, customerLink(device.environment, name)))],
    ])]);
  const attempts = pagedTable({
    label: "Attempts", signal, key: (/** @type {any} */ row) => row.attemptId,
    empty: () => empty("No attempts yet. An app makes them. This command makes one on the " +
      "device that the store keeps for the customer.",
    world, ["buy", "PRODUCT", "--account", name, "--bundle-id", "APP",
      "--environment", environment]),
    columns: [
      { title: "Tried", cell: (row) => time(row.triedAt) },
      { title: "Product", cell: (row) => row.productId ? id(row.productId) : "–" },
      { title: "State", cell: (row) => [state(row.state),
        row.refusal === undefined ? null : h("div", null, id(row.refusal), " ",
          whyButton(world, row.refusal)),
        row.missingMilliunits ? ` ${money(row.missingMilliunits, row.currency)} missing` : null] },
      { title: "Transaction", isWide: true,
        cell: (row) => row.transactionId && transactionLink(row.transactionId) },
      { title: "Customer", isWide: true, cell: (row) => row.account },
    ],
    load: async (after, signal) => {
      const { attempts, next } = await world.get(path, { limit: 50, after }, signal);
      return { rows: attempts, next };
    },
  });
  const both = [head, attempts];
  const back = h("p", null, h("a", { href: hrefOf({ path: [...base, "devices"] }) }, "Devices"));
  return { element: h("div", null, back, head.element, h("h3", null, "Attempts"),
    attempts.element),
  reload: () => both.forEach(({ reload }) => void reload()),
  refresh: () => both.forEach(({ refresh }) => refresh()) };
}

/** @param {Part} part @returns {Shown} */
function credit({ world, signal, environment, name, changed }) {
  const statement = pagedTable({
    label: "Credit", signal, key: (/** @type {any} */ row) => String(row.number),
    empty: () => empty("No credit was added or spent yet.",
      world, ["credit", "add", [name, "10"], "--environment", environment]),
    columns: [
      { title: "Time", cell: (row) => time(row.at) },
      { title: "Entry", cell: (row) => phrase(row.kind) },
      { title: "About", isWide: true, cell: (row) => row.reason ??
        (row.transactionId ? transactionLink(row.transactionId) : id(row.reference)) },
      { title: "Amount", isNumber: true, cell: (row) => money(row.amountMilliunits, row.currency) },
      { title: "Balance", isNumber: true,
        cell: (row) => money(row.balanceMilliunits, row.currency) },
    ],
    load: async (before, signal) => {
      const { entries, next } = await world.get("accounts/credit",
        { account: name, environment, before }, signal);
      return { rows: entries, next };
    },
  });
  const buttons = actions.ofCredit(/** @type {any} */ ({ name, environment }))
    .map((action) => actionButton(world, action, changed));
  return { element: h("div", null, h("p", { class: "buttons" }, buttons), statement.element),
    reload: statement.reload, refresh: statement.refresh };
}

/** @param {Part} part @returns {Shown} */
function family({ world, signal, environment, name, changed }) {
  /** @param {import("../action.js").Action} action */
  const button = (action) => actionButton(world, action, changed);
  return loaded(signal, (signal) => world.get("accounts/details",
    { account: name, environment }, signal), ({ account, family }) => family === undefined ? [
    empty("The customer is in no family.",
      world, ["family", "make", [name], "--environment", environment]),
    button(actions.makeFamily(account)),
  ] : [
    h("p", { class: "buttons" }, actions.ofFamily(world, family).map(button)),
    h("p", null, `Family ${number(family.number)}, made `, time(family.madeAt)),
    plainTable({
      label: "Members", signal, rows: family.members, empty: () => null,
      columns: [
        { title: "Member", cell: (/** @type {any} */ row) => customerLink(environment, row.name) },
        { title: "Role", isWide: true, cell: (row) => row.isOrganiser ? "Organiser" : "Member" },
        { title: "Sharing", cell: (row) => row.sharesPurchases
          ? chip("Shares", "good") : chip("Does not share") },
        { title: "Joined", isWide: true, cell: (row) => time(row.joinedAt) },
        { title: "Actions", cell: (row) => h("div", { class: "buttons" },
          actions.ofMember(family.number, row).map(button)) },
      ],
    }),
  ]);
}

/** @param {Part} part @returns {Shown} */
function apps({ world, signal, base }) {
  return pagedTable({
    label: "Apps", signal, key: (/** @type {any} */ row) => row.bundleId,
    href: (row) => hrefOf({ path: [...base, "apps", row.bundleId] }),
    empty: () => empty("The world has no app.",
      world, ["catalog", "import", "FILE", "--bundle-id", "APP"]),
    columns: [
      { title: "App", cell: (row) => id(row.bundleId) },
      { title: "Developer", cell: (row) => row.developer },
    ],
    load: async (_, signal) => ({ rows: (await world.get("apps", {}, signal)).apps }),
  });
}

/** @param {Part} part @returns {Shown} */
function app({ world, signal, environment, name, base, rest }) {
  const bundleId = rest[0];
  const query = { account: name, environment };
  /** @type {Shown} */
  const transaction = loaded(signal, (signal) =>
    world.get(at`apps/${bundleId}/app-transaction`, query, signal).catch(unknown),
  (known) => [
    known === null ? empty("The customer never had the app on a device.",
      world, ["buy", "PRODUCT", "--account", name, "--bundle-id", bundleId,
        "--environment", environment]) : facts([
      ["Id", id(known.appTransactionId)], ["Got the app", time(known.originalPurchaseDate)],
      ["Original version", known.originalApplicationVersion],
      ["Original platform", known.originalPlatform],
      ["Volume purchase", known.isVolumePurchase ? "Yes" : "No"],
    ]),
    environment === "production" ? actionButton(world, actions.appTransaction(
      /** @type {any} */ ({ name, environment }), bundleId, known ?? undefined),
    () => transaction.reload()) : null,
  ]);
  const values = loaded(signal, (signal) =>
    world.get(at`apps/${bundleId}/key-values`, query, signal), ({ entries, byteCount }) =>
    entries.length === 0 ? empty("The app stored no key values. It does so by " +
      "NSUbiquitousKeyValueStore; this command lists them.",
    world, ["account", "key-values", [name], "--bundle-id", bundleId,
      "--environment", environment]) : [
      plainTable({
        label: "Key values", signal, rows: entries, empty: () => null,
        columns: [
          { title: "Key", cell: (/** @type {any} */ row) => id(row.key) },
          { title: "Type", isWide: true, cell: (row) => Object.keys(row.value ?? {})[0] ?? "–" },
          { title: "Value", cell: (row) => id(valueText(row.value)) },
        ],
      }),
      h("p", { class: "quiet" }, size(byteCount))]);
  const both = [transaction, values];
  return {
    element: h("div", null,
      h("p", null, h("a", { href: hrefOf({ path: [...base, "apps"] }) }, "Apps")),
      h("h2", null, bundleId),
      h("h3", null, "Receipt"),
      h("p", { class: "buttons" },
        h("a", { href: hrefOf({ screen: "receipts", path: [], filters: {
          account: name, environment, app: bundleId } }) }, "Look into the receipt"),
        saveButton("Save the receipt", "receipt", () => world.request("GET",
          at`apps/${bundleId}/receipt`, { query, signal, isFile: true }))),
      commandBlock(world, ["receipt", "show", "--account", name, "--bundle-id", bundleId,
        "--environment", environment]),
      h("h3", null, "App transaction"), transaction.element,
      h("h3", null, "Key values"), values.element),
    reload: () => both.forEach(({ reload }) => reload()),
    refresh: () => both.forEach(({ refresh }) => refresh()),
  };
}

/** @param {any} error */
function unknown(error) {
  if (error.code === "appTransactionUnknown") {
    return null;
  }
  throw error;
}

/** @param {any} value */
function valueText(value) {
  const inner = Object.values(value ?? {})[0];
  return typeof inner === "string" ? inner : JSON.stringify(inner) ?? "–";
}
