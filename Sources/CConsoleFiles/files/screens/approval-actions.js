// What can be answered for customers: approvals, interruptions and price questions.

import { option } from "../command.js";
import { at } from "../connection.js";
import { counted, phrase } from "../format.js";
import { environments, titled } from "../parts/filters.js";
import * as suggest from "../parts/suggest.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("../action.js").Field} Field */
/** @typedef {import("../connection.js").World} World */
/** @typedef {import("./approvals.js").Approval} Approval */
/** @typedef {import("./approvals.js").PriceConsent} PriceConsent */

/** @param {World} world @returns {Field[]} */
function customerFields(world) {
  return [
    { name: "name", label: "Customer", suggest: suggest.accounts(world) },
    { name: "environment", label: "Environment", type: "choice",
      choices: titled(environments) },
  ];
}

/** @param {Approval} approval @returns {Action[]} */
export function ofApproval({ number, account, productId }) {
  return [
    {
      title: "Approve",
      text: `Buys ${productId} for ${account}, at its present price.`,
      request: () => ({ method: "POST", path: at`approvals/${number}/approve` }),
      command: () => ["ask-to-buy", "approve", String(number)],
      refusal: ({ refusal }) => refusal,
      done: ({ transactionId }) => `Approved: transaction ${transactionId}`,
    },
    {
      title: "Decline",
      text: `The purchase of ${productId} fails on the device of ${account}.`,
      request: () => ({ method: "POST", path: at`approvals/${number}/decline` }),
      command: () => ["ask-to-buy", "decline", String(number)],
      done: () => `Declined the purchase of ${account}`,
    },
  ];
}

/**
 * Turns Ask to Buy, or interruptions, on or off.
 * @param {World} world
 * @param {"needsApproval" | "interruptsPurchases"} setting
 * @returns {Action}
 */
export function change(world, setting) {
  const isApproval = setting === "needsApproval";
  return {
    title: isApproval ? "Set Ask to Buy" : "Set interruptions",
    text: isApproval
      ? "With Ask to Buy, purchases of the customer wait here for an answer."
      : "Interrupted purchases fail in the app, as when a customer must first accept new terms.",
    fields: [...customerFields(world),
      { name: "turn", label: isApproval ? "Ask to Buy" : "Purchases", type: "choice",
        choices: isApproval ? [["on", "On"], ["off", "Off"]]
          : [["on", "Are interrupted"], ["off", "Proceed"]] }],
    request: ({ name, environment, turn }) => ({ method: "POST", path: "accounts/settings",
      body: { name, environment, [setting]: turn === "on" } }),
    command: ({ name, environment, turn }) => ["account",
      isApproval ? "approval" : "interrupt", [name, turn], "--environment", environment],
    errors: { accountUnknown: "name" },
  };
}

/**
 * Resolves what interrupted the purchases of a customer; asks whose, unless it is given.
 * @param {World} world
 * @param {{name: string, environment: string}} [customer]
 * @returns {Action}
 */
export function resolve(world, customer) {
  return {
    title: "Resolve",
    text: "Completes the interrupted purchases" +
      (customer === undefined ? " of a customer." : ` of ${customer.name}.`),
    fields: customer === undefined ? customerFields(world) : [],
    request: ({ name, environment }) => ({ method: "POST", path: "accounts/resolve",
      body: customer === undefined ? { name, environment }
        : { name: customer.name, environment: customer.environment } }),
    command: ({ name, environment }) => ["account", "resolve", [customer?.name ?? name],
      "--environment", customer?.environment ?? environment],
    errors: { accountUnknown: "name" },
    done: resolved,
  };
}

/** @param {{purchases: {productId: string, refusal?: {code: string}}[]}} answer */
function resolved({ purchases }) {
  const count = purchases.filter(({ refusal }) => refusal === undefined).length;
  return purchases.length === 0 ? "No purchase was interrupted"
    : `Resolved ${counted(count, "purchase")}: ` + purchases.map(({ productId, refusal }) =>
      `${productId}: ${refusal === undefined ? "bought" : phrase(refusal.code)}`).join(", ");
}

/** @param {World} world @returns {Action} */
export function askPrice(world) {
  return {
    title: "Ask about a price",
    text: "The customer's devices ask; the price of the product does not change. A subscriber " +
      "is asked by a price increase of the subscription.",
    fields: [...customerFields(world),
      { name: "bundleId", label: "App", suggest: suggest.apps(world) },
      { name: "productId", label: "Subscription", help: "Its product identifier" },
      { name: "price", label: "New price", help: "Such as 2.99" }],
    request: (values) => ({ method: "POST", path: "price-consents", body: values }),
    command: ({ name, environment, bundleId, productId, price }) => ["price-consent", "ask",
      [name, productId, price], ...option("--bundle-id", bundleId), "--environment", environment],
    errors: { accountUnknown: "name", appUnknown: "bundleId", productUnknown: "productId" },
    done: ({ number }) => `Asked: price consent ${number}`,
  };
}

/** @param {PriceConsent} consent @returns {Action[]} */
export function ofPriceConsent({ number, state, account }) {
  return state !== "pending" ? [] : ["agree", "decline"].map((answer) => ({
    title: phrase(answer),
    text: `Answers for ${account}.`,
    request: () => ({ method: "POST", path: `${at`price-consents/${number}`}/${answer}` }),
    command: () => ["price-consent", answer, String(number)],
    done: (price) => `The customer has ${price.state}`,
  }));
}
