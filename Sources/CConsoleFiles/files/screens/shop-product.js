// One product: its review, prices, offers, offer codes and content.

import { actionButton } from "../action.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { counted, number, phrase, time } from "../format.js";
import { chip, crumbs, empty, facts, heading, id, loaded } from "../parts/basics.js";
import { plainTable } from "../parts/table.js";
import { currencyOf } from "../storefronts.js";
import * as actions from "./product-actions.js";
import { redeemOfferCode } from "./shop-actions.js";
import { amountOf, contentTable, kindText, reviews, stateChip, theApp } from "./shop-app.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./shop-app.js").Product} Product */
/** @typedef {{number: number, kind: string, word?: string, offerId: string, state: string,
 *   redemptionCount: number, redemptionsMax: number, expiresAt?: number}} OfferCode */
/** @typedef {{number: number, storefront: string, currency: string, price?: string, from?: number,
 *   state: string}} Price */
/** @type {Record<string, string>} */
const offerKinds = { introductory: "Introductory offer", promotional: "Promotional offer",
  code: "Offer for codes", winBack: "Win-back offer" };
/** @typedef {{kind: string, offerId?: string, paymentMode: string, price: string, period: string,
 *   numberOfPeriods: number, customers: string[]}} Offer */

/**
 * @param {Context} context @param {string} bundleId @param {string} productId
 * @returns {import("./index.js").View}
 */
export function product(context, bundleId, productId) {
  const { world, signal } = context;
  const of = { bundleId, productId };
  const path = at`apps/${bundleId}/products/${productId}`;
  /** @type {{element: HTMLElement, reload: () => Promise<void>}} */
  const page = loaded(signal, async (signal) => {
    const [{ products }, app, schedule, { offers }, { versions }, { offerCodes }] =
      await Promise.all([
        world.get(at`apps/${bundleId}/products`, {}, signal), theApp(world, bundleId, signal),
        world.get(`${path}/price-schedule`, {}, signal),
        world.get(at`apps/${bundleId}/offers`, { product: productId }, signal),
        world.get(at`apps/${bundleId}/content`, {}, signal),
        world.get(`${path}/offer-codes`, {}, signal),
      ]);
    return { schedule, versions, offerCodes, app, offers,
      product: products.find((/** @type {Product} */ one) => one.productId === productId) };
  }, ({ product, schedule, offers, offerCodes, versions, app }) => [
    h("div", { class: "filters" }, actions.ofProduct(bundleId, product).map((action) =>
      actionButton(world, action, page.reload))),
    facts([
      ["State", stateChip(product)], ["Kind", kindText(product.kind)],
      ["Price", amountOf(product.price, currencyOf(app.storefront))],
      ["Category", product.category && phrase(product.category)],
      ["Period", product.renewalPeriod && periodText(product.renewalPeriod)],
      ["Group", product.subscriptionGroup && [id(product.subscriptionGroup),
        ` level ${product.groupLevel}`]],
      ["Reason", product.reason && phrase(product.reason)], ["Note", product.note],
    ]),
    heading("Prices of storefronts"), prices(context, of, schedule.prices, page.reload),
    ...(product.kind !== "autoRenewable" ? [] : [
      heading("Offers"), offersTable(context, bundleId, offers, currencyOf(app.storefront)),
      ...codes(context, of, offers, offerCodes, page.reload),
    ]),
    ...content(context, of, versions, page.reload),
    heading("Decisions"), reviews(context, bundleId, productId).element,
  ]);
  return { element: h("div", null,
    crumbs(["Shop", ["apps"]], [bundleId, ["apps", bundleId]]),
    h("h1", null, productId), page.element) };
}

/**
 * @param {Context} context @param {actions.Of} of @param {Price[]} rows
 * @param {() => void} done
 */
function prices({ world, signal }, of, rows, done) {
  return plainTable({
    label: "Prices of storefronts", signal, rows,
    empty: () => empty("Every storefront has the base price.",
      world, ["product", "price", [of.productId, "0.79"], "--storefront", "DEU",
        "--from", "2030-12-24", "--bundle-id", of.bundleId]),
    columns: [
      { title: "Storefront", cell: ({ storefront }) => storefront },
      { title: "Price", isNumber: true, cell: ({ price, currency }) =>
        price === undefined ? "Base price" : amountOf(price, currency) },
      { title: "State", cell: ({ state, from }) => [chip(phrase(state),
        state === "inForce" ? "good" : state === "coming" ? "warn" : "quiet"),
      from === undefined ? null : h("div", { class: "help" }, "from ", time(from))] },
      { title: "Actions", cell: ({ state, number }) => state !== "coming" ? null
        : actionButton(world, actions.cancelPrice(of, number), done) },
    ],
  });
}

/** @param {Context} context @param {string} bundleId @param {Offer[]} rows
 * @param {string} currency */
function offersTable({ world, signal }, bundleId, rows, currency) {
  return plainTable({
    label: "Offers", signal, rows,
    empty: () => empty("No offer. Offers come with the catalogue file.",
      world, ["catalog", "import", "Products.storekit", "--bundle-id", bundleId]),
    columns: [
      { title: "Offer", cell: ({ kind, offerId }) => [
        h("div", null, offerKinds[kind] ?? phrase(kind)),
        offerId && h("div", { class: "help" }, offerId)] },
      { title: "Price", isNumber: true, cell: ({ price, paymentMode }) =>
        paymentMode === "freeTrial" ? "Free" : amountOf(price, currency) },
      { title: "Payment", isWide: true, cell: ({ paymentMode }) => phrase(paymentMode) },
      { title: "Duration", cell: ({ period, numberOfPeriods }) =>
        (numberOfPeriods === 1 ? "" : `${numberOfPeriods} × `) + periodText(period) },
      { title: "For", isWide: true, cell: ({ customers }) => customers.map(phrase).join(", ") },
    ],
  });
}

/**
 * @param {Context} context @param {actions.Of} of @param {Offer[]} offers
 * @param {OfferCode[]} rows @param {() => void} done
 */
function codes({ world, signal }, of, offers, rows, done) {
  const names = offers.filter(({ kind }) => kind === "code").map(({ offerId = "" }) => offerId);
  return [
    heading("Offer codes", ...(names.length === 0 ? [] : actions.makeOfferCodes(of, names))
      .map((action) => actionButton(world, action, done)),
    actionButton(world, redeemOfferCode(of.bundleId), done)),
    plainTable({
      label: "Offer codes", signal, rows,
      empty: () => names.length === 0
        ? empty("The catalogue has no offer for codes of this product.",
          world, ["catalog", "import", "Products.storekit", "--bundle-id", of.bundleId])
        : empty("No offer code yet.",
          world, ["offer-code", "make", [of.productId, "OFFER"], "--word", "SPRING",
            "--redemptions", "100", "--bundle-id", of.bundleId]),
      columns: [
        { title: "Code", cell: ({ word, number, offerId }) => [
          word === undefined ? `Batch ${number}` : id(word),
          h("div", { class: "help" }, offerId)] },
        { title: "State", cell: ({ state }) => chip(phrase(state),
          state === "active" ? "good" : "quiet") },
        { title: "Redeemed", isNumber: true, isWide: true, cell: (code) =>
          `${number(code.redemptionCount)} of ${number(code.redemptionsMax)}` },
        { title: "Expires", isWide: true, cell: ({ expiresAt }) => time(expiresAt) },
        { title: "Actions", cell: (code) => code.state !== "active" ? null
          : actionButton(world, actions.deactivateOfferCode(of, code), done) },
      ],
    }),
  ];
}

/** @param {Context} context @param {actions.Of} of @param {any[]} versions
 * @param {() => void} done */
function content({ world, signal }, { bundleId, productId }, versions, done) {
  const own = versions.filter((version) => version.productId === productId);
  return [
    heading("Content", actionButton(world, actions.addContent({ bundleId, productId }), done),
      own.length === 0 ? null
        : actionButton(world, actions.removeContent(bundleId, productId), done)),
    contentTable(world, signal, bundleId, own, done),
  ];
}

/**
 * "3 months" from `P3M`.
 * @param {string} period
 */
function periodText(period) {
  const [, count, unit] = /^P(\d+)([DWMY])$/.exec(period) ?? [];
  const units = { D: "day", W: "week", M: "month", Y: "year" };
  return unit === undefined ? period
    : counted(Number(count), units[/** @type {keyof typeof units} */ (unit)]);
}
