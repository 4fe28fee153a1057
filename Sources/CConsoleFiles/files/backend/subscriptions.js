// Subscriptions that the backend follows: those in trouble, a user's, or one with its history.

import { actionButton } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { number, phrase, time } from "../format.js";
import { chip, crumbs, empty, facts, fresh, id, stepList } from "../parts/basics.js";
import { backendTable, emptyOfPurchases, lookUp, stateChip, userLink } from "./parts.js";

/** @typedef {import("../screens/index.js").Context} Context */
/** @typedef {import("../connection.js").World} World */
/** @typedef {import("../screens/index.js").View} View */
/** @typedef {{subscription: any, userName: string, trouble?: string, failures: number,
 *   quietChecks: number, periodBegan: number, checkedAt: number, answeredAt: number,
 *   nextCheckAt?: number, receipt: {sha256: string}, history?: any[]}} Followed */

/** @param {Context} context @returns {View} */
export function show(context) {
  const [original] = context.place.path;
  return original === undefined ? subscriptions(context) : subscription(context, original);
}

/** @param {World} world @param {() => Record<string, any>} query @param {AbortSignal} signal */
export function subscriptionTable(world, query, signal) {
  return backendTable({
    world, path: "subscriptions", query, label: "Subscriptions", signal,
    key: (/** @type {Followed} */ { subscription }) =>
      `${subscription.environment}/${subscription.originalTransactionId}`,
    href: ({ subscription }) => hrefOf({ screen: "subscriptions",
      path: [subscription.originalTransactionId] }),
    empty: () => query().trouble ? empty(
      "No subscription is in trouble. This command checks one now:", world, ["check", "ORIGINAL"])
      : emptyOfPurchases("No subscription to show."),
    columns: [
      { title: "Product", cell: ({ subscription }) => id(subscription.productId) },
      { title: "User", cell: ({ userName }) => userName },
      { title: "State", cell: ({ subscription }) => stateChip(subscription.state) },
      { title: "Expires", isWide: true, cell: ({ subscription }) => time(subscription.expires) },
      { title: "Trouble", isWide: true, cell: ({ trouble }) => trouble },
      { title: "Next check", isWide: true, cell: ({ nextCheckAt }) => time(nextCheckAt) },
    ],
  });
}

/** @param {Record<string, string>} filters Those in trouble, unless others are asked for. */
function asked({ user, transaction }) {
  return user || transaction ? { user, transaction } : { trouble: true };
}

/** @param {Context} context @returns {View} */
function subscriptions({ world, place, signal }) {
  let { filters } = place;
  const list = subscriptionTable(world, () => asked(filters), signal);
  return {
    element: h("div", null, h("h1", null, "Subscriptions"),
      lookUp(filters, [["user", "User"], ["transaction", "Transaction"]]),
      h("p", { class: "quiet" },
        "Without a user or a transaction, those whose last check failed are listed."),
      list.element),
    holds: (here) => here.path.length === 0,
    update: (here) => {
      ({ filters } = here);
      void list.reload();
    },
  };
}

/** @param {string} original @returns {import("../action.js").Action} */
function check(original) {
  return {
    title: "Check", text: "Asks the store about the subscription now.",
    request: () => ({ method: "POST", path: at`subscriptions/${original}/check` }),
    command: () => ["check", [original]],
    done: ({ subscriptions }) => subscriptions[0]?.trouble ?? "The store answered",
  };
}

/** @param {Context} context @param {string} original @returns {View} */
function subscription({ world, signal }, original) {
  const page = fresh(signal,
    (signal) => world.get("subscriptions", { transaction: original }, signal),
    (/** @type {{subscriptions: Followed[]}} */ { subscriptions }) => [
      subscriptions.length === 0 ? emptyOfPurchases("No such subscription.")
        : actionButton(world, check(original)),
      ...subscriptions.map(one)]);
  return { element: h("div", null, crumbs(["Subscriptions", []]),
    h("h1", null, `Subscription ${original}`), page) };
}

/** @param {Followed} followed */
function one({ subscription, history = [], ...followed }) {
  return h("div", { class: "columns" },
    h("section", { class: "card" }, h("h2", null, "State"), facts([
      ["State", stateChip(subscription.state)],
      ["Served", subscription.isServed ? chip("Yes", "good") : chip("No")],
      ["User", userLink(followed.userName)], ["Product", id(subscription.productId)],
      ["Service", subscription.service], ["Environment", subscription.environment],
      ["Renews as", subscription.autoRenews ? subscription.renewsAs : "Does not renew"],
      ["Reason", subscription.reason && phrase(subscription.reason)],
      ["Period began", time(followed.periodBegan)], ["Expires", time(subscription.expires)],
      ["Grace period ends", subscription.gracePeriodEnds && time(subscription.gracePeriodEnds)],
      ["Trouble", followed.trouble], ["Failed checks", number(followed.failures)],
      ["Checked", time(followed.checkedAt)], ["Next check", time(followed.nextCheckAt)],
      ["Receipt (SHA-256)", id(followed.receipt.sha256)],
    ])),
    h("section", { class: "card" }, h("h2", null, "History"), stepList(history.map((event) =>
      [event.at, [phrase(event.event), " · ", id(event.productId), " · until ",
        time(event.expires)]]))));
}
