// The shop: apps with their products, and gift codes.

import { actionButton } from "../action.js";
import { hrefOf } from "../address.js";
import { h } from "../dom.js";
import { counted, duration, money, phrase, time } from "../format.js";
import { chip, empty, id, loaded, tabs } from "../parts/basics.js";
import { pagedTable, plainTable } from "../parts/table.js";
import { app } from "./shop-app.js";
import * as actions from "./shop-actions.js";
import { product } from "./shop-product.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {{bundleId: string, appAppleId: number, developer: string, storefront: string,
 *   delayMilliseconds?: number, gracePeriodDays?: number}} App */
/** @typedef {{number: number, amountMilliunits: number, currency: string, environment: string,
 *   state: string, madeAt: number, expiresAt?: number, redeemedBy?: string}} GiftCode */

/** @param {Context} context @returns {import("./index.js").View} */
export function show(context) {
  const [tab, bundleId, part, productId] = context.place.path;
  if (tab === "apps" && bundleId !== undefined) {
    return part === "products" && productId !== undefined
      ? product(context, bundleId, productId) : app(context, bundleId, part ?? "products");
  }
  const isOfGiftCodes = tab === "gift-codes";
  return { element: h("div", null, h("h1", null, "Shop"),
    tabs("Shop", [
      { title: "Apps", path: ["apps"] }, { title: "Gift codes", path: ["gift-codes"] },
    ], isOfGiftCodes ? "gift-codes" : "apps"),
    isOfGiftCodes ? giftCodes(context) : apps(context)) };
}

/** @param {Context} context */
function apps({ world, signal }) {
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, (signal) => world.get("apps", {}, signal), ({ apps }) => [
    h("div", { class: "filters" }, h("div", { class: "actions" },
      actionButton(world, actions.importCatalogue(undefined, apps), page.reload))),
    plainTable({
      label: "Apps", signal, rows: /** @type {App[]} */ (apps),
      href: ({ bundleId }) => hrefOf({ path: ["apps", bundleId] }),
      empty: () => empty("No app yet. Importing a catalogue makes one.",
        world, ["catalog", "import", "Products.storekit", "--bundle-id", "com.example.app"]),
      columns: [
        { title: "App", cell: ({ bundleId }) => id(bundleId) },
        { title: "Developer", cell: ({ developer }) => developer },
        { title: "Storefront", isWide: true, cell: ({ storefront }) => storefront },
        { title: "Grace period", cell: graceText },
        { title: "Delay", isWide: true, cell: delayText },
      ],
    }),
  ]);
  return page.element;
}

/** @param {App} app */
export function graceText({ gracePeriodDays }) {
  return gracePeriodDays === undefined ? "None" : counted(gracePeriodDays, "day");
}

/** @param {App} app */
export function delayText({ delayMilliseconds }) {
  return delayMilliseconds === undefined ? "As the world"
    : delayMilliseconds === 0 ? "None" : duration(delayMilliseconds * 1000);
}

/** @param {Context} context */
function giftCodes({ world, signal }) {
  /** @type {{element: HTMLElement, reload: () => void}} */
  const list = pagedTable({
    label: "Gift codes", signal, key: (/** @type {GiftCode} */ code) => String(code.number),
    empty: () => empty("No gift code yet.", world, ["gift-code", "make", "25", "USD"]),
    columns: [
      { title: "Code", cell: ({ number }) => number },
      { title: "Amount", isNumber: true,
        cell: (code) => money(code.amountMilliunits, code.currency) },
      { title: "State", cell: ({ state }) =>
        chip(phrase(state), state === "open" ? "good" : "quiet") },
      { title: "Redeemed by", isWide: true, cell: ({ redeemedBy }) => redeemedBy ?? "–" },
      { title: "Environment", isWide: true, cell: ({ environment }) => phrase(environment) },
      { title: "Made", isWide: true, cell: ({ madeAt }) => time(madeAt) },
      { title: "Expires", isWide: true, cell: ({ expiresAt }) => time(expiresAt) },
      { title: "Actions", cell: (code) => code.state !== "open" ? null
        : actionButton(world, actions.voidGiftCode(code.number), () => list.reload()) },
    ],
    load: async (after, signal) => {
      const { giftCodes, next } = await world.get("gift-codes", { after }, signal);
      return { rows: giftCodes, next };
    },
  });
  return h("div", null, h("div", { class: "filters" }, h("div", { class: "actions" },
    actionButton(world, actions.makeGiftCode(), list.reload))), list.element);
}
