// What can be done about refunds, as the customer, as the app and as the shop.

import { option } from "../command.js";
import { at } from "../connection.js";
import { constant } from "../format.js";
import * as suggest from "../parts/suggest.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("../action.js").Field} Field */
/** @typedef {import("../connection.js").World} World */
/** @typedef {import("./refunds.js").Refund} Refund */

const reasons = [
  "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
];
const deliveries = [
  "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM",
  "UNDELIVERED_SERVER_OUTAGE", "UNDELIVERED_OTHER",
];
const preferences = ["DECLINE", "GRANT_FULL", "GRANT_PRORATED"];

/** @param {string[]} names @returns {[string, string][]} */
function constants(names) {
  return names.map((name) => [name, constant(name)]);
}

/**
 * A name of Apple as a word of the command line.
 * @param {string} name
 */
function word(name) {
  return name.toLowerCase().replaceAll("_", "-");
}

/** @param {World} world @param {string} [transaction] @returns {Field[]} */
function transactionField(world, transaction) {
  return transaction !== undefined ? [] : [{
    name: "transaction", label: "Transaction", suggest: suggest.transactions(world),
    help: "Its number; the newest purchases are suggested",
  }];
}

/**
 * @param {World} world
 * @param {string} [given] The transaction; asked for if absent.
 * @returns {Action}
 */
export function request(world, given) {
  return {
    title: "Request a refund",
    text: "As the customer would. A subscription no longer renews after it.",
    fields: [...transactionField(world, given),
      { name: "reason", label: "Reason", type: "choice", choices: constants(reasons) }],
    request: ({ transaction = given, reason }) => ({
      method: "POST", path: at`refunds/${transaction}/request`, body: { reason } }),
    command: ({ transaction = given, reason }) =>
      ["refund", "request", [transaction], "--reason", word(reason)],
    errors: { transactionUnknown: "transaction", notFound: "transaction" },
    done: ({ transactionId }) => `Requested a refund of ${transactionId}`,
  };
}

/**
 * Takes a purchase back without a request.
 * @param {World} world
 * @param {string} [given]
 * @returns {Action}
 */
export function revoke(world, given) {
  return {
    title: "Revoke a transaction",
    text: "Takes the purchase back for good and refunds what was charged. The receipt shows it, " +
      "and apps are notified.",
    confirm: ({ transaction = given }) => transaction,
    fields: [...transactionField(world, given),
      { name: "reason", label: "Reason", type: "choice",
        choices: [["issue", "An actual or supposed fault of the app"], ["other", "Other"]] }],
    request: ({ transaction = given, reason }) => ({
      method: "POST", path: at`transactions/${transaction}/revoke`, body: { reason } }),
    command: ({ transaction = given, reason }) =>
      ["transaction", "revoke", [transaction], "--reason", reason],
    errors: { transactionUnknown: "transaction", notFound: "transaction" },
    done: ({ transactionIds }) => `Revoked ${transactionIds.join(", ")}`,
  };
}

/** @param {Refund} refund @returns {Action[]} What its state allows. */
export function ofRefund({ transactionId, state }) {
  /** @type {(name: string, title: string, text: string) => Action} */
  const plain = (name, title, text) => ({
    title, text, request: () => ({
      method: "POST", path: `${at`refunds/${transactionId}`}/${name}` }),
    command: () => ["refund", name, transactionId],
    done: (refund) => `The refund is ${refund.state}`,
  });
  const decisions = [grant(transactionId), plain("decline", "Decline", "Nothing else changes.")];
  /** @type {Record<string, Action[]>} */
  const allowed = {
    requested: [consumption(transactionId), ...decisions],
    answered: decisions,
    granted: [plain("reverse", "Reverse",
      "The customer has the purchase again, and pays for it again. A subscription goes on to " +
      "its period's end and does not renew.")],
  };
  return allowed[state] ?? [];
}

/** @param {string} transactionId @returns {Action} */
function grant(transactionId) {
  return {
    title: "Grant", confirm: transactionId,
    text: "Refunds and revokes the purchase; apps are notified.",
    fields: [{ name: "type", label: "Refund", type: "choice",
      choices: [["REFUND_FULL", "Full"], ["REFUND_PRORATED", "Prorated: only the unused part"]] }],
    request: (values) => ({
      method: "POST", path: at`refunds/${transactionId}/grant`, body: values }),
    command: ({ type }) => ["refund", "grant", transactionId,
      type === "REFUND_PRORATED" && "--prorated"],
    errors: { consumptionUnknown: "type", nothingLeft: "type" },
    done: () => "Granted the refund",
  };
}

/** @param {string} transactionId @returns {Action} */
function consumption(transactionId) {
  return {
    title: "Report consumption", text: "As the app would, within 12 hours.",
    fields: [
      { name: "customerConsented", label: "The customer agreed to the report", type: "switch",
        value: true },
      { name: "deliveryStatus", label: "Delivery", type: "choice",
        choices: constants(deliveries) },
      { name: "percentage", label: "Consumed, in percent", type: "number", isOptional: true,
        help: "0 to 100; empty for an auto-renewable subscription" },
      { name: "refundPreference", label: "The app prefers", type: "choice", isOptional: true,
        choices: [["", "Nothing"], ...constants(preferences)] },
      { name: "sampleContentProvided", label: "There was a free sample", type: "switch" },
    ],
    request: ({ percentage, refundPreference, ...values }) => ({
      method: "PUT", path: at`refunds/${transactionId}/consumption`,
      body: {
        ...values, refundPreference: refundPreference || undefined,
        consumptionPercentage: percentage === null ? undefined : Math.round(percentage * 1000),
      },
    }),
    command: (values) => ["refund", "consumption", transactionId,
      values.customerConsented && "--consented", "--delivery", word(values.deliveryStatus),
      ...option("--percentage", values.percentage),
      ...option("--prefer", word(values.refundPreference)),
      values.sampleContentProvided && "--sample"],
    errors: { consumptionPercentage: "percentage" },
    done: () => "Reported the consumption",
  };
}
