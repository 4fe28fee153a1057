// The subscriptions of a world, and one subscription with its life and what can be done to it.

import { actionButton } from "../action.js";
import { hrefOf } from "../address.js";
import { clockOf } from "../clock.js";
import { at, isPassing } from "../connection.js";
import { fill, h } from "../dom.js";
import { whenWorldChanges } from "../follow.js";
import { money, number, phrase, time } from "../format.js";
import { chip, empty, facts, id, loaded } from "../parts/basics.js";
import { clockPanel } from "../parts/clock.js";
import { choice, environments, filterBar } from "../parts/filters.js";
import { expirationReasons, itemsOf, lifeOf, pagesOf, stepTitle } from "../parts/life.js";
import { matching, pagedTable, table } from "../parts/table.js";
import { timeline } from "../parts/timeline.js";
import { ofSubscription } from "./subscription-actions.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("../connection.js").World} World */
/** @typedef {import("../parts/life.js").Subscription} Subscription */
/** @typedef {import("../parts/life.js").Item} Item */

/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = { active: "good", gracePeriod: "warn", billingRetry: "bad", expired: "quiet",
  revoked: "bad" };

/** @param {Context} context */
export function show(context) {
  const [original] = context.place.path;
  return original === undefined ? subscriptions(context) : subscription(context, original);
}

/** @param {Context} context @returns {import("./index.js").View} */
function subscriptions({ world, place, signal }) {
  let { filters } = place;
  const list = pagedTable({
    label: "Subscriptions", signal,
    key: (/** @type {Subscription} */ { originalTransactionId }) => originalTransactionId,
    href: ({ originalTransactionId }) => hrefOf({ path: [originalTransactionId] }),
    empty: () => empty("No subscription to show.",
      world, ["subscription", "new", "--state", "active", "--account", "buyer@example.com"]),
    columns: [
      { title: "Subscription", cell: ({ account, productId }) =>
        [h("div", null, account), id(productId)] },
      { title: "State", cell: states },
      { title: "Renews or ends", cell: when },
      { title: "Renews for", isWide: true, isNumber: true, cell: renewalPrice },
      { title: "Renewals", isWide: true, isNumber: true, cell: ({ renewals }) => number(renewals) },
      { title: "Environment", isWide: true, cell: ({ environment }) => phrase(environment) },
    ],
    load: (after, signal) => matching(async (after) => {
      const { subscriptions, next } = await world.get("subscriptions", { after }, signal);
      return { rows: /** @type {Subscription[]} */ (subscriptions), next };
    }, (subscription) => matches(subscription, filters), after),
  });
  whenWorldChanges(world, signal, list.refresh);
  const bar = filterBar({
    search: "Search subscriptions", signal,
    choices: [
      choice("state", "State", Object.keys(tones)), choice("renewal", "Renewal", ["on", "off"]),
      choice("environment", "Environment", environments),
    ],
  });
  return {
    element: h("div", null, h("h1", null, "Subscriptions"), bar, list.element,
      h("details", { class: "panel" }, h("summary", null, "Clock"), clockPanel(world, signal))),
    holds: (here) => here.path.length === 0,
    update: (here) => {
      filters = here.filters;
      void list.reload();
    },
  };
}

/** @param {Subscription} subscription @param {Record<string, string>} filters */
function matches(subscription, { q = "", state, renewal, environment }) {
  const { account, productId, bundleId, group, originalTransactionId } = subscription;
  return [account, productId, bundleId, group, originalTransactionId].join(" ").toLowerCase()
    .includes(q.toLowerCase()) &&
    (state === undefined || subscription.state === state) &&
    (renewal === undefined || subscription.autoRenews === (renewal === "on")) &&
    (environment === undefined || subscription.environment === environment);
}

/** @param {Subscription} subscription */
function states({ state, autoRenews, failsBilling, offer, priceIncrease, paymentId }) {
  const isOver = state === "expired" || state === "revoked";
  return h("span", { class: "chips" },
    chip(phrase(state), tones[state]),
    !isOver && !autoRenews ? chip("Renewal off", "warn") : null,
    !isOver && failsBilling ? chip("Billing fails", "warn") : null,
    !isOver && offer !== undefined
      ? chip(offer.paymentMode === "freeTrial" ? "Free trial" : `${phrase(offer.kind)} offer`)
      : null,
    !isOver && priceIncrease !== undefined
      ? chip(`Price: ${phrase(priceIncrease.consent).toLowerCase()}`, "warn") : null,
    paymentId === undefined ? null : chip("Waits for payment", "warn"));
}

/** @param {Subscription} subscription */
function when({ state, expiresDate, next }) {
  return next !== undefined ? [h("div", null, stepTitle(next)), time(next.at)]
    : state === "expired" || state === "revoked" ? [h("div", null, "Ended"), time(expiresDate)]
    : null;
}

/** @param {Subscription} subscription */
function renewalPrice({ renewalPriceMilliunits, renewalCurrency, currency }) {
  return renewalPriceMilliunits === undefined ? "–"
    : money(renewalPriceMilliunits, renewalCurrency ?? currency);
}

/** @param {Context} context @param {string} original @returns {import("./index.js").View} */
function subscription({ world, signal }, original) {
  const clock = clockOf(world);
  const picture = timeline(signal);
  const history = lifeTable(signal);
  const details = h("div");
  let pageCount = 1;
  const older = h("p", { hidden: true }, h("button", { type: "button", onclick: () => {
    pageCount += 1;
    page.refresh();
  } }, "Show older"));
  /** @type {import("../parts/life.js").Life | null} */
  let life = null;
  const draw = () => {
    if (life !== null && clock.now !== null) {
      const items = itemsOf(life, clock.now);
      picture.show(items, clock.now);
      history.show(items);
    }
  };
  clock.addEventListener("change", draw, { signal });
  /** @type {ReturnType<typeof loaded>} */
  const page = loaded(signal, (signal) => load(world, original, pageCount, signal).catch((error) => {
    if (!isPassing(error)) {
      hide(true);
    }
    throw error;
  }), ({ lived, options }) => {
    const { subscription } = lived;
    hide(false);
    life = lived;
    draw();
    older.hidden = lived.older === undefined;
    fill(details, factsOf(subscription, lived.next));
    return [h("p", null, states(subscription)),
      h("div", { class: "filters" }, ofSubscription(subscription, options).map((action) =>
        actionButton(world, action, page.reload)))];
  });
  const drawn = h("div", null, picture.element);
  const told = h("div", null, h("h2", null, "Life"), older, history.element);
  /** @param {boolean} isHidden Whether the world no longer has the subscription. */
  const hide = (isHidden) => [drawn, details, told].forEach((part) => {
    part.hidden = isHidden;
  });
  whenWorldChanges(world, signal, page.refresh);
  return { element: h("div", null,
    h("p", null, h("a", { href: hrefOf({ path: [] }) }, "Subscriptions")),
    h("h1", null, "Subscription ", id(original)), page.element, drawn,
    h("div", { class: "columns" }, details, h("details", { class: "panel", open: true },
      h("summary", null, "Clock"), clockPanel(world, signal))), told) };
}

/**
 * A subscription, its life, and what its actions offer.
 * @param {World} world @param {string} original @param {number} pageCount
 * @param {AbortSignal} signal
 */
async function load(world, original, pageCount, signal) {
  const path = at`subscriptions/${original}`;
  const life = await lifeOf(world, path, pageCount, signal);
  const { subscription } = life;
  const { account, environment, bundleId, group, priceIncrease } = subscription;
  const product = subscription.autoRenewProductId ?? subscription.productId;
  const [shop, winBacks, questions] = await Promise.all([
    world.get(at`apps/${bundleId}/products`, {}, signal),
    world.get(`${path}/win-backs`, {}, signal),
    priceIncrease?.consent !== "pending" ? { rows: [] }
      : pagesOf(world, "price-consents", {}, "priceConsents", signal),
  ]);
  const question = questions.rows.find((question) => question.state === "pending" &&
    question.account === account && question.environment === environment &&
    question.bundleId === bundleId && question.productId === product);
  return { lived: life, options: {
    products: shop.products.filter((/** @type {{subscriptionGroup?: string}} */ product) =>
      product.subscriptionGroup === group),
    offers: winBacks.offers, question: question?.number,
  } };
}

/** @param {Subscription} subscription @param {import("../parts/life.js").Step[]} next */
function factsOf(subscription, next) {
  const { account, environment, currency, priceIncrease, expirationReason } = subscription;
  const consent = phrase(priceIncrease?.consent ?? "").toLowerCase();
  return facts([
    ["Customer", h("a", { href: hrefOf({ screen: "customers", path: [environment, account] }) },
      account)],
    ["Environment", phrase(environment)], ["App", id(subscription.bundleId)],
    ["Product", id(subscription.productId)],
    ["Price", money(subscription.priceMilliunits, currency)],
    ["Renews as", subscription.autoRenewProductId && id(subscription.autoRenewProductId)],
    ["Renews for", renewalPrice(subscription)],
    ["Price increase", priceIncrease &&
      `${money(priceIncrease.priceMilliunits, currency)}, consent: ${consent}`],
    ["Period began", time(subscription.startDate)],
    ["Period ends", time(subscription.expiresDate)],
    ["Next", next.map((next) =>
      h("div", null, time(next.at), ` ${stepTitle(next)}`))],
    ["Ended because", expirationReason && expirationReasons[expirationReason]],
    ["Renewals", number(subscription.renewals)], ["Group", id(subscription.group)],
    ["First transaction", id(subscription.originalTransactionId)],
    ["Transaction", id(subscription.transactionId)],
    ["Payment", subscription.paymentId && id(subscription.paymentId)],
  ]);
}

/**
 * The picture as a table.
 * @param {AbortSignal} signal
 */
function lifeTable(signal) {
  let shown = "";
  const list = table({
    label: "Life of the subscription", signal, key: (/** @type {Item} */ { key }) => key,
    empty: () => empty("Nothing happened yet."),
    columns: [
      { title: "Time", cell: ({ from }) => time(from) },
      { title: "What", cell: ({ kind, title, tone, detail }) => [
        kind === "period" && tone === "good" ? title : chip(title, tone),
        kind === "next" ? " due" : null, detail === undefined ? null : ` ${detail}`] },
      { title: "Until", isWide: true, cell: ({ until, cutAt }) =>
        until === undefined ? null : time(cutAt ?? until) },
      { title: "Product", isWide: true, cell: ({ productId }) => productId && id(productId) },
      { title: "Price", isNumber: true, cell: ({ price }) => price },
      { title: "Transaction", isWide: true,
        cell: ({ transactionId }) => transactionId && id(transactionId) },
    ],
  });
  return { element: list.element,
    /** @param {Item[]} items */
    show: (items) => {
      const text = JSON.stringify(items);
      if (text !== shown) {
        shown = text;
        list.renew();
        list.show([...items].reverse());
      }
    } };
}
