// One app of the shop: its products, reviews, keys, content and settings.

import { actionButton } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { money, phrase, size, time } from "../format.js";
import {
  chip, crumbs, empty, facts, heading, id, loaded, saveButton, tabs,
} from "../parts/basics.js";
import { filterBar } from "../parts/filters.js";
import { pagedTable, plainTable, table } from "../parts/table.js";
import { currencyOf, storefronts } from "../storefronts.js";
import { offerKeys, sharedSecrets } from "./keys.js";
import { delayText, graceText } from "./shop.js";
import * as actions from "./shop-actions.js";
import { addResources, removeContent, removeResources } from "./product-actions.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").View} View */
/** @typedef {import("./shop.js").App} App */
/** @typedef {{productId: string, referenceName?: string, kind: string, state: string,
 *   price: string, storefrontPrices: Record<string, string>, category?: string, reason?: string,
 *   note?: string, settlesAt?: number, renewalPeriod?: string, subscriptionGroup?: string,
 *   groupLevel?: number}} Product */

/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = { clearedForSale: "good", pendingApproval: "warn", rejected: "bad" };

/** @type {Record<string, string>} */
const kinds = { nonConsumable: "Non-consumable", autoRenewable: "Auto-renewable subscription",
  nonRenewing: "Non-renewing subscription" };

/** @param {string} kind */
export function kindText(kind) {
  return kinds[kind] ?? phrase(kind);
}

/** @param {{state: string, settlesAt?: number}} product */
export function stateChip({ state, settlesAt }) {
  return [chip(phrase(state), tones[state]),
    settlesAt === undefined ? null : h("span", { class: "help" }, " reaches devices ",
      time(settlesAt))];
}

/** @param {Context} context @param {string} bundleId @param {string} tab @returns {View} */
export function app(context, bundleId, tab) {
  const { world, signal } = context;
  const path = (/** @type {string} */ name) => ["apps", bundleId, name];
  const shown = show(context, bundleId, tab);
  return {
    element: h("div", null, crumbs(["Shop", ["apps"]]),
      h("div", { class: "heading" }, h("h1", null, bundleId), h("div", null,
        actionButton(world, actions.importCatalogue(bundleId), shown.reload),
        saveButton("Export the catalogue", `${bundleId}.storekit`, () =>
          world.request("GET", at`apps/${bundleId}/catalog`, { isText: true, signal })))),
      tabs("App", [
        { title: "Products", path: path("products") }, { title: "Reviews", path: path("reviews") },
        { title: "Keys", path: path("keys") }, { title: "Content", path: path("content") },
        { title: "App settings", path: path("settings") },
      ], tab), shown.element),
    holds: ({ path }) => path[1] === bundleId && (path[2] ?? "products") === tab &&
      path.length <= 3 && path[0] === "apps",
    update: shown.update,
  };
}

/**
 * @param {Context} context @param {string} bundleId @param {string} tab
 * @returns {{element: Element, reload?: () => void, update?: View["update"]}}
 */
function show(context, bundleId, tab) {
  const { world, signal } = context;
  return tab === "reviews" ? reviews(context, bundleId, context.place.filters.product)
    : tab === "keys" ? { element: h("div", null, offerKeys(world, signal, bundleId),
      sharedSecrets(world, signal, { kind: "app", name: bundleId })) }
    : tab === "content" ? content(context, bundleId)
    : tab === "settings" ? settings(context, bundleId) : products(context, bundleId);
}

/** @param {Context} context @param {string} bundleId */
function products({ world, place, signal }, bundleId) {
  let { filters } = place;
  /** @type {{products: Product[], app: App} | null} */
  let known = null;
  const storefront = () => filters.storefront ?? known?.app.storefront ?? "USA";
  const list = table({
    label: "Products", signal, key: (/** @type {Product} */ { productId }) => productId,
    href: ({ productId }) => hrefOf({ path: ["apps", bundleId, "products", productId] }),
    empty: () => empty("No product to show.",
      world, ["catalog", "import", "Products.storekit", "--bundle-id", bundleId]),
    columns: [
      { title: "Product", cell: ({ productId, referenceName }) => [
        h("div", null, referenceName), id(productId)] },
      { title: "Kind", isWide: true, cell: ({ kind }) => kindText(kind) },
      { title: "State", cell: stateChip },
      { title: "Category", isWide: true, cell: ({ category }) => category && phrase(category) },
      { title: "Price", isNumber: true, cell: (product) => priceIn(product, storefront(),
        known?.app.storefront ?? "USA") },
    ],
  });
  const draw = () => {
    list.renew();
    const word = (filters.q ?? "").toLowerCase();
    list.show((known?.products ?? []).filter((product) =>
      `${product.productId} ${product.referenceName} ${product.state}`.toLowerCase()
        .includes(word)));
  };
  const page = loaded(signal, async (signal) => ({
    ...await world.get(at`apps/${bundleId}/products`, {}, signal),
    app: await theApp(world, bundleId, signal),
  }), (answer) => {
    known = answer;
    draw();
    return list.element;
  });
  return {
    reload: page.reload,
    element: h("div", null, filterBar({ search: "Search products", signal,
      choices: [{ name: "storefront", label: "Price in",
        choices: [["", "App's storefront"], ...storefronts.map((name) =>
          /** @type {[string, string]} */ ([name, `${name} · ${currencyOf(name)}`]))] }] }),
    page.element),
    update: (/** @type {import("../address.js").Place} */ here) => {
      filters = here.filters;
      draw();
    },
  };
}

/**
 * The price in a storefront: its own, or the base price.
 * @param {Product} product @param {string} storefront @param {string} base The app's storefront.
 */
function priceIn({ price, storefrontPrices }, storefront, base) {
  const own = storefrontPrices[storefront];
  return own !== undefined ? amountOf(own, currencyOf(storefront)) : h("span", null,
    storefront === base ? null : h("span", { class: "help" }, "base "),
    amountOf(price, currencyOf(base)));
}

/** @param {string} price @param {string} currency */
export function amountOf(price, currency) {
  return money(Math.round(Number(price) * 1000), currency);
}

/** @param {import("../connection.js").World} world @param {string} bundleId
 * @param {AbortSignal} signal @returns {Promise<App>} */
export async function theApp(world, bundleId, signal) {
  const { apps } = await world.get("apps", {}, signal);
  return apps.find((/** @type {App} */ app) => app.bundleId === bundleId) ??
    { bundleId, storefront: "USA" };
}

/** @typedef {{number: number, at: number, productId: string, step: string, state: string,
 *   reason?: string, note?: string}} Review */

/** @type {import("../parts/table.js").Column<{productId: string}>} */
const productColumn = { title: "Product", cell: ({ productId }) => id(productId) };

/** @param {Context} context @param {string} bundleId @param {string} [product] */
export function reviews({ world, signal }, bundleId, product) {
  return pagedTable({
    label: "Reviews", signal, key: (/** @type {Review} */ review) => String(review.number),
    empty: () => empty("No decision yet. Importing products makes the first.",
      world, ["catalog", "import", "Products.storekit", "--bundle-id", bundleId]),
    columns: [
      { title: "Time", cell: ({ at }) => time(at) },
      ...(product === undefined ? [productColumn] : []),
      { title: "Step", cell: ({ step }) => phrase(step) },
      { title: "State", isWide: true, cell: stateChip },
      { title: "Reason", isWide: true, cell: ({ reason, note }) =>
        [reason && phrase(reason), reason && note ? ": " : null, note] },
    ],
    load: async (after, signal) => {
      const { reviews, next } = await world.get(at`apps/${bundleId}/reviews`,
        { product, after }, signal);
      return { rows: reviews, next };
    },
  });
}

/** @param {Context} context @param {string} bundleId */
function content({ world, signal }, bundleId) {
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, async (signal) => ({
    ...await world.get(at`apps/${bundleId}/content`, {}, signal),
    ...await world.get(at`apps/${bundleId}/resources`, {}, signal),
  }), ({ versions, resources }) => [
    heading("Product content"),
    contentTable(world, signal, bundleId, versions, page.reload),
    heading("On-demand resources",
      actionButton(world, addResources(bundleId), page.reload)),
    plainTable({
      label: "On-demand resources", signal, rows: /** @type {any[]} */ (resources),
      empty: () => empty("No on-demand resources.",
        world, ["resource", "add", "TAG", "FOLDER", "--app-version", "1.0",
          "--bundle-id", bundleId]),
      columns: [
        { title: "Tag", cell: ({ tag }) => id(tag) },
        { title: "App version", cell: ({ appVersion }) => appVersion },
        { title: "Kind", isWide: true, cell: ({ kind }) => phrase(kind) },
        { title: "Size", isNumber: true, cell: ({ contentLength }) => size(contentLength) },
        { title: "Files", isNumber: true, isWide: true, cell: ({ fileCount }) => fileCount },
        { title: "Added", isWide: true, cell: ({ addedAt }) => time(addedAt) },
        { title: "Actions", cell: ({ appVersion, tag }) => actionButton(world,
          removeResources(bundleId, appVersion, tag), page.reload) },
      ],
    }),
  ]);
  return page;
}

/**
 * @param {import("../connection.js").World} world @param {AbortSignal} signal
 * @param {string} bundleId @param {any[]} versions @param {() => void} reload
 */
export function contentTable(world, signal, bundleId, versions, reload) {
  return plainTable({
    label: "Product content", signal, rows: versions,
    empty: () => empty("No content. Buyers download nothing.",
      world, ["content", "upload", "PRODUCT", "FOLDER", "--bundle-id", bundleId]),
    columns: [
      { title: "Product", cell: ({ productId }) => id(productId) },
      { title: "Version", cell: ({ contentVersion, isCurrent }) =>
        [contentVersion, " ", isCurrent ? chip("Current", "good") : null] },
      { title: "Size", isNumber: true, cell: ({ contentLength }) => size(contentLength) },
      { title: "Files", isNumber: true, isWide: true, cell: ({ fileCount }) => fileCount },
      { title: "Added", isWide: true, cell: ({ addedAt }) => time(addedAt) },
      { title: "Actions", cell: ({ productId, contentVersion }) => actionButton(world,
        removeContent(bundleId, productId, contentVersion), reload) },
    ],
  });
}

/** @param {Context} context @param {string} bundleId */
function settings({ world, signal }, bundleId) {
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, (signal) => theApp(world, bundleId, signal), (app) => [
    h("div", { class: "filters" }, actions.ofApp(app).map((action) =>
      actionButton(world, action, page.reload))),
    facts([
      ["Bundle identifier", id(bundleId)], ["App number", id(app.appAppleId)],
      ["Developer", app.developer], ["Storefront", app.storefront],
      ["Grace period", graceText(app)], ["Delay of changes", delayText(app)],
      ["Notifications", h("a", { href: hrefOf({ screen: "notifications", path: [] }) },
        "Where the app's server is notified")],
    ]),
  ]);
  return page;
}
