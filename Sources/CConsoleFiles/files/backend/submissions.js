// The receipts that users submitted, and one with its history, its grant and why it was refused.

import { actionButtons } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { number, phrase, size, time } from "../format.js";
import { crumbs, facts, fresh, id, stepList } from "../parts/basics.js";
import { choice, filterBar } from "../parts/filters.js";
import { backendTable, emptyOfPurchases, lookUp, stateChip, userLink } from "./parts.js";

/** @typedef {import("../screens/index.js").Context} Context */
/** @typedef {import("../connection.js").World} World */
/** @typedef {{submissionId: string, userId: string, userName: string, productId: string,
 *   transactionId: string, originalTransactionId?: string, environment?: string, state: string,
 *   reason?: string, message?: string, storeStatus?: number, httpStatus?: number, tries: number,
 *   timesReceived: number, receivedAt: number, changedAt: number, nextTryAt?: number,
 *   lastTriedAt?: number, appVersion: string, receipt: {sha256: string, byteCount: number},
 *   passThrough?: Record<string, string>, grant?: any, history?: any[],
 *   historyLeftOut?: number}} Submission */

const states = ["received", "kept", "granted", "alreadyGranted", "refused", "stalled"];

/** @param {Context} context @returns {import("../screens/index.js").View} */
export function show(context) {
  const [name] = context.place.path;
  return name === undefined ? submissions(context) : submission(context, name);
}

/** @param {World} world @param {() => Record<string, any>} query @param {AbortSignal} signal */
export function submissionTable(world, query, signal) {
  return backendTable({
    world, path: "submissions", query, label: "Submissions", signal,
    key: (/** @type {Submission} */ { submissionId }) => submissionId,
    href: ({ submissionId }) => hrefOf({ screen: "submissions", path: [submissionId] }),
    empty: () => emptyOfPurchases("No submission to show."),
    columns: [
      { title: "Received", isWide: true, cell: ({ receivedAt }) => time(receivedAt) },
      { title: "Product", isLink: true, cell: ({ productId }) => id(productId) },
      { title: "User", cell: ({ userName }) => userName },
      { title: "State", cell: ({ state }) => stateChip(state) },
      { title: "Reason", isWide: true, cell: ({ reason }) => reason && phrase(reason) },
      { title: "Transaction", isWide: true, cell: ({ transactionId }) => id(transactionId) },
    ],
  });
}

/** @param {Context} context @returns {import("../screens/index.js").View} */
function submissions({ world, place, signal }) {
  let { user, transaction, digest, state } = place.filters;
  const list = submissionTable(world, () => ({ user, transaction, digest, state }), signal);
  return {
    element: h("div", null, h("h1", null, "Submissions"),
      filterBar({ signal, choices: [choice("state", "State", states)] }),
      lookUp(place.filters, [["user", "User"], ["transaction", "Transaction"],
        ["digest", "SHA-256 of the receipt"]]), list.element),
    holds: (here) => here.path.length === 0,
    update: (here) => {
      ({ user, transaction, digest, state } = here.filters);
      void list.reload();
    },
  };
}

/** @param {string} name @returns {import("../action.js").Action[]} */
function actions(name) {
  return [{
    title: "Retry",
    text: "Asks the store at once about a receipt that is kept, stalled or refused.",
    request: () => ({ method: "POST", path: at`submissions/${name}/retry` }),
    command: () => ["retry", [name]], done: () => "The submission is due",
  }, {
    title: "Recheck", text: "Asks the store whether the purchase was refunded.",
    request: () => ({ method: "POST", path: at`submissions/${name}/recheck` }),
    command: () => ["recheck", [name]],
    done: ({ outcome }) => `The store's answer: ${phrase(outcome).toLowerCase()}`,
  }];
}

/** @param {Context} context @param {string} name @returns {import("../screens/index.js").View} */
function submission({ world, signal }, name) {
  const isGranted = (/** @type {Submission} */ { state }) =>
    state === "granted" || state === "alreadyGranted";
  const page = fresh(signal, (signal) => world.get(at`submissions/${name}`, {}, signal),
    (/** @type {Submission} */ one) => [
      h("p", null, stateChip(one.state)),
      one.message === undefined ? null : h("p", null, one.message),
      actionButtons(world, actions(name).slice(...(isGranted(one) ? [1] : [0, 1]))),
      h("div", { class: "columns" },
        h("section", { class: "card" }, h("h2", null, "Submission"), facts([
          ["User", userLink(one.userName)], ["Product", id(one.productId)],
          ["Transaction", id(one.transactionId)],
          ["Original", one.originalTransactionId && id(one.originalTransactionId)],
          ["Environment", one.environment], ["App version", one.appVersion],
          ["Reason", one.reason && phrase(one.reason)], ["Store status", one.storeStatus],
          ["Received", time(one.receivedAt)], ["Times received", number(one.timesReceived)],
          ["Tries", number(one.tries)], ["Next try", one.nextTryAt && time(one.nextTryAt)],
          ["Receipt (SHA-256)", h("a", { href: hrefOf({ path: [],
            filters: { digest: one.receipt.sha256 } }) }, id(one.receipt.sha256))],
          ["Receipt size", size(one.receipt.byteCount)],
          ["Pass-through", one.passThrough && id(JSON.stringify(one.passThrough))],
        ])),
        one.grant === undefined ? null : grant(one.grant),
        h("section", { class: "card" }, h("h2", null, "History"),
          one.historyLeftOut ? h("p", { class: "quiet" },
            `${number(one.historyLeftOut)} earlier entries are left out`) : null,
          stepList((one.history ?? []).map(step))))]);
  return { element: h("div", null, crumbs(["Submissions", []]), h("h1", null, name), page) };
}

/** @param {any} event @returns {[number, string]} */
function step({ at, event, detail, storeStatus, tryNumber }) {
  return [at, [phrase(event), detail, tryNumber && `try ${tryNumber}`,
    storeStatus === undefined ? null : `store status ${storeStatus}`].filter(Boolean).join(" · ")];
}

/** @param {any} grant */
function grant(grant) {
  return h("section", { class: "card" }, h("h2", null, "Grant"), facts([
    ["User", userLink(grant.userName)], ["Kind", phrase(grant.kind)],
    ["Quantity", number(grant.quantity)],
    ["Balance", grant.balance && number(grant.balance.balance)],
    ["Kept after a refund", grant.keptQuantity], ["Granted", time(grant.grantedAt)],
    ["Refunded", grant.refundedAt && time(grant.refundedAt)],
    ["Checked", grant.checkedAt && time(grant.checkedAt)],
    ["Failed checks", grant.checkFailures],
    ["Next check", grant.nextCheckAt && time(grant.nextCheckAt)],
    ["Submission", h("a", { href: hrefOf({ path: [grant.submissionId] }) },
      id(grant.submissionId))],
  ]));
}
