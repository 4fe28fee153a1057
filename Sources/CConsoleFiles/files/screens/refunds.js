// The refunds that customers requested, and one transaction with its refund, copies and
// entries.

import { actionButtons } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { constant, money, percent, phrase, time } from "../format.js";
import {
  chip, customerLink, empty, facts, fresh, id, stepList,
} from "../parts/basics.js";
import { filterBar } from "../parts/filters.js";
import { storeTable } from "../parts/table.js";
import { entriesTable } from "./ledger.js";
import * as actions from "./refund-actions.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {{transactionId: string, account: string, environment: string, bundleId: string,
 *   productId: string, reason: string, state: string, requestDate: number, currency?: string,
 *   refundMilliunits?: number, consumptionDueDate: number, consumptionDate?: number,
 *   consumption?: Consumption, declineDate?: number, reversalDate?: number,
 *   revocationDate?: number, revocationPercentage?: number, revocationType?: string}} Refund */
/** @typedef {{customerConsented: boolean, deliveryStatus: string, refundPreference?: string,
 *   consumptionPercentage?: number, sampleContentProvided: boolean}} Consumption */

/** @type {Record<string, import("../parts/basics.js").Tone>} */
const tones = { requested: "warn", answered: "warn", granted: "good", declined: "bad" };

/** @type {[string, string][]} */
const states = [
  ["requested", "Requested"], ["answered", "Reported"], ["granted", "Granted"],
  ["declined", "Declined"], ["reversed", "Reversed"],
];

/** @param {Context} context @returns {import("./index.js").View} */
export function show(context) {
  const [transaction] = context.place.path;
  return transaction === undefined ? refunds(context) : refund(context, transaction);
}

/** @param {string} state */
function stateChip(state) {
  return chip(new Map(states).get(state) ?? phrase(state), tones[state]);
}

/** @param {Refund} refund */
function amount({ refundMilliunits, currency }) {
  return refundMilliunits === undefined ? null : money(refundMilliunits, currency ?? "");
}

/** @param {Context} context @returns {import("./index.js").View} */
function refunds({ world, place, signal }) {
  let { filters } = place;
  /** @param {Refund} refund */
  const matches = (refund) => (!filters.state || refund.state === filters.state) &&
    [refund.account, refund.productId, refund.transactionId].join(" ").toLowerCase()
      .includes((filters.q ?? "").toLowerCase());
  const list = storeTable({
    world, path: "refunds", matches, label: "Refunds", signal,
    key: (/** @type {Refund} */ refund) => refund.transactionId,
    href: ({ transactionId }) => hrefOf({ path: [transactionId] }),
    empty: () => empty("No refund to show.",
      world, ["refund", "request", "TRANSACTION", "--reason", "unintended-purchase"]),
    columns: [
      { title: "Requested", isWide: true, cell: ({ requestDate }) => time(requestDate) },
      { title: "Product", isLink: true, cell: ({ productId }) => id(productId) },
      { title: "Customer", cell: ({ account }) => account },
      { title: "State", cell: ({ state }) => stateChip(state) },
      { title: "Reason", isWide: true, cell: ({ reason }) => constant(reason) },
      { title: "Refund", isNumber: true, isWide: true, cell: amount },
    ],
  });
  const bar = filterBar({
    search: "Search refunds", signal,
    choices: [{ name: "state", label: "State", choices: [["", "All"], ...states] }],
    actions: [actionButtons(world, [actions.request(world), actions.revoke(world)])],
  });
  return {
    element: h("div", null, h("h1", null, "Refunds"), bar, list.element),
    holds: (here) => here.path.length === 0,
    update: (here) => {
      filters = here.filters;
      void list.reload();
    },
  };
}

/** @param {Context} context @param {string} transaction @returns {import("./index.js").View} */
function refund({ world, signal }, transaction) {
  const page = fresh(signal, (signal) => world.get(at`transactions/${transaction}`, {}, signal),
    ({ transaction: sale, familyCopies, ledger, ...more }) => {
      const refund = /** @type {Refund | undefined} */ (more.refund);
      const environment = sale.environment.toLowerCase();
      return [
        h("p", null, chip(phrase(sale.state)), refund && stateChip(refund.state)),
        actionButtons(world, [...(refund === undefined ? [] : actions.ofRefund(refund)),
          ...(sale.revokedAt !== undefined ? []
            : [...(refund === undefined ? [actions.request(world, transaction)] : []),
              actions.revoke(world, transaction)])]),
        h("div", { class: "columns" },
          h("section", { class: "card" }, h("h2", null, "Purchase"), facts([
            ["Transaction", id(sale.transactionId)],
            ["Subscription", sale.kind === "autoRenewable" ? h("a", { href: hrefOf({
              screen: "subscriptions", path: [sale.originalTransactionId] }) },
            id(sale.originalTransactionId)) : null],
            ["Product", id(sale.productId)], ["App", id(sale.bundleId)],
            ["Customer", customerLink(environment, sale.account)],
            ["Environment", phrase(environment)], ["Attempt", id(more.attemptId)],
            ["Price", money(sale.priceMilliunits, sale.currency)],
            ["Refund", refund && amount(refund)],
            ["Payment", more.payment && [id(more.payment.paymentId), chip(phrase(
              more.payment.state))]],
            ["Copy of", more.sharedTransactionId && link(more.sharedTransactionId)],
            ["Restores", more.restoredTransactionId && link(more.restoredTransactionId)],
            ["Copies", familyCopies.map((/** @type {any} */ copy) => h("div", null,
              customerLink(environment, copy.account), " ", link(copy.transactionId)))],
          ])),
          h("section", { class: "card" }, h("h2", null, "What happened"),
            stepList(steps(refund, sale)))),
        ...(ledger.length === 0 ? [] : [h("h2", null, "Ledger"), entriesTable(signal, ledger)]),
      ];
    });
  return { element: h("div", null,
    h("p", null, h("a", { href: hrefOf({ path: [] }) }, "Refunds")),
    h("h1", null, `Transaction ${transaction}`), page) };
}

/** @param {string} transaction */
function link(transaction) {
  return h("a", { href: hrefOf({ path: [transaction] }) }, id(transaction));
}

/**
 * @param {Refund | undefined} refund
 * @param {{purchasedAt: number, revokedAt?: number}} sale
 */
function steps(refund, { purchasedAt, revokedAt }) {
  /** @type {[number | undefined, import("../dom.js").Child | import("../dom.js").Child[]][]} */
  const steps = [[purchasedAt, "Purchased"]];
  if (refund !== undefined) {
    steps.push(...stepsOf(refund));
  }
  if (revokedAt !== undefined && refund?.revocationDate === undefined) {
    steps.push([revokedAt, "Revoked"]);
  }
  return steps;
}

/** @param {Refund} refund */
function stepsOf(refund) {
  const { consumption, revocationPercentage } = refund;
  const isOpen = refund.state === "requested" || refund.state === "answered";
  /** @type {[number | undefined, import("../dom.js").Child | import("../dom.js").Child[]][]} */
  const steps = [
    [refund.requestDate,
      `The customer requested a refund (${constant(refund.reason).toLowerCase()})`],
  ];
  if (consumption !== undefined) {
    steps.push([refund.consumptionDate, ["The app reported the consumption",
      facts([
        ["Delivery", constant(consumption.deliveryStatus)],
        ["Consumed", consumption.consumptionPercentage === undefined ? null
          : percent(consumption.consumptionPercentage)],
        ["Prefers", consumption.refundPreference && constant(consumption.refundPreference)],
        ["Free sample", consumption.sampleContentProvided ? "Yes" : "No"],
      ])]]);
  } else if (isOpen) {
    steps.push([undefined, ["The app may report the consumption until ",
      time(refund.consumptionDueDate)]]);
  }
  if (refund.revocationDate !== undefined) {
    const share = revocationPercentage === undefined ? "" : ` of ${percent(revocationPercentage)}`;
    const isFull = refund.revocationType === "REFUND_FULL";
    steps.push([refund.revocationDate, `Granted${isFull ? " in full" : share}`]);
  }
  if (refund.declineDate !== undefined) {
    steps.push([refund.declineDate, "Declined"]);
  }
  if (refund.reversalDate !== undefined) {
    steps.push([refund.reversalDate, "Reversed: the customer has the purchase again"]);
  }
  if (isOpen) {
    steps.push([undefined, "The decision is open"]);
  }
  return steps;
}
