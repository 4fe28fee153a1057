// The notifications of apps' servers, how their delivery went, and what was sent.

import { actionButtons } from "../action.js";
import { hrefOf } from "../address.js";
import { at } from "../connection.js";
import { h } from "../dom.js";
import { constant, number, phrase, time } from "../format.js";
import {
  chip, codeBlock, customerLink, empty, facts, fresh, id, loaded, tabs, stepList,
} from "../parts/basics.js";
import { filterBar } from "../parts/filters.js";
import { decodedJWS, withPayloads } from "../parts/jws.js";
import { storeTable } from "../parts/table.js";
import * as actions from "./notification-actions.js";
import { serverURLs } from "./server-urls.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("./index.js").Part} Part */
/** @typedef {{number: number, notificationUUID: string, notificationType: string,
 *   subtype?: string, bundleId: string, environment: string, account?: string, version: string,
 *   originalTransactionId?: string, signedDate: number, dueDate?: number,
 *   sendAttempts: {attemptDate: number, sendAttemptResult: string}[]}} Notification */

/** @type {Record<string, {title: string, tone: import("../parts/basics.js").Tone}>} */
const states = {
  delivered: { title: "Delivered", tone: "good" },
  waiting: { title: "Waiting", tone: "quiet" },
  retrying: { title: "Retrying", tone: "warn" },
  failed: { title: "Failed", tone: "bad" },
};

/** @param {Context} context @returns {import("./index.js").View} */
export function show(context) {
  const { path } = context.place;
  const tab = path[0] === "servers" ? "servers" : "sent";
  /** @type {Part} */
  const view = tab === "servers" ? serverURLs(context)
    : path[1] === undefined ? notifications(context) : notification(context, path[1]);
  const bar = tabs("Notifications", [
    { title: "Sent", path: ["sent"] }, { title: "Server URLs", path: ["servers"] }], tab);
  return {
    element: h("div", null, h("h1", null, "Notifications"), bar, view.element),
    holds: (here) => view.update !== undefined && here.path[0] !== "servers" &&
      here.path[1] === undefined,
    update: ({ filters }) => view.update?.(filters),
  };
}

/** @param {Notification} notification */
function stateOf({ dueDate, sendAttempts }) {
  const isWaiting = dueDate !== undefined;
  const last = sendAttempts[sendAttempts.length - 1]?.sendAttemptResult;
  return last === "SUCCESS" && !isWaiting ? "delivered" : !isWaiting ? "failed"
    : last === undefined || last === "SUCCESS" ? "waiting" : "retrying";
}

/** @param {Notification} notification */
function stateChip(notification) {
  const { title, tone } = states[stateOf(notification)];
  return chip(title, tone);
}

/** @param {Notification} notification */
function typeOf({ notificationType, subtype }) {
  return [id(notificationType), subtype && h("div", { class: "help" }, id(subtype))];
}

/** @param {Context} context @returns {Part} */
function notifications({ world, place, signal }) {
  let { filters } = place;
  const list = storeTable({
    world, path: "notifications", query: () => ({ app: filters.app }),
    matches: (row) => !filters.state || stateOf(row) === filters.state,
    label: "Notifications", signal,
    key: (/** @type {Notification} */ notification) => String(notification.number),
    href: ({ number }) => hrefOf({ path: ["sent", String(number)] }),
    empty: () => empty("No notification to show. An app's server is notified of what happens " +
      "after it has a URL.",
    world, ["notification", "set", "com.example.app", "http://127.0.0.1:9000/", "--private"]),
    columns: [
      { title: "Signed", isWide: true, cell: ({ signedDate }) => time(signedDate) },
      { title: "Type", isLink: true, cell: typeOf },
      { title: "Delivery", cell: stateChip },
      { title: "Customer", cell: ({ account }) => account },
      { title: "App", isWide: true, cell: ({ bundleId }) => id(bundleId) },
      { title: "Environment", isWide: true, cell: ({ environment }) => phrase(environment) },
      { title: "Attempts", isWide: true, isNumber: true, cell: ({ sendAttempts }) =>
        number(sendAttempts.length) },
    ],
  });
  /** @type {[string, string][]} */
  const titles = Object.entries(states).map(([name, { title }]) => [name, title]);
  /** @param {string[]} apps */
  const bar = (apps) => filterBar({
    signal, choices: [
      { name: "state", label: "Delivery", choices: [["", "All"], ...titles] },
      { name: "app", label: "App", choices: [["", "All"], .../** @type {[string, string][]} */ (
        apps.map((app) => [app, app]))] },
    ],
    actions: [actionButtons(world, [actions.settle()])],
  });
  const { element } = loaded(signal, (signal) => world.get("apps", {}, signal), ({ apps }) =>
    bar(apps.map((/** @type {{bundleId: string}} */ { bundleId }) => bundleId)));
  return {
    element: h("div", null, element, list.element),
    update: (present) => {
      filters = present;
      void list.reload();
    },
  };
}

/** @param {Context} context @param {string} name @returns {Part} */
function notification({ world, signal }, name) {
  const page = fresh(signal, (signal) => world.get(at`notifications/${name}`, {}, signal),
    (/** @type {{notification: Notification, body?: string}} */ { notification, body }) => [
      h("h2", null, id(notification.notificationType)),
      h("p", null, stateChip(notification)),
      actionButtons(world, [actions.resend(notification.number)]),
      h("div", { class: "columns" },
        h("section", { class: "card" }, facts([
          ["Number", number(notification.number)],
          ["Subtype", notification.subtype && id(notification.subtype)],
          ["UUID", id(notification.notificationUUID)], ["App", id(notification.bundleId)],
          ["Environment", phrase(notification.environment)],
          ["Customer", notification.account &&
            customerLink(notification.environment, notification.account)],
          ["Original transaction", notification.originalTransactionId &&
            id(notification.originalTransactionId)],
          ["Version", notification.version],
        ])),
        h("section", { class: "card" }, h("h3", null, "Delivery"), stepList([
          [notification.signedDate, "Signed"],
          ...notification.sendAttempts.map(attempt),
          .../** @type {[undefined, import("../dom.js").Child[]][]} */ (
            notification.dueDate === undefined ? []
              : [[undefined, ["Next attempt ", time(notification.dueDate)]]]),
        ]))),
      ...content(body),
    ]);
  return { element: h("div", null,
    h("p", null, h("a", { href: hrefOf({ path: ["sent"] }) }, "All notifications")),
    page) };
}

/** @param {{attemptDate: number, sendAttemptResult: string}} attempt
 *  @returns {[number, Node]} */
function attempt({ attemptDate, sendAttemptResult }) {
  return [attemptDate, chip(constant(sendAttemptResult),
    sendAttemptResult === "SUCCESS" ? "good" : "bad")];
}

/**
 * What is sent, with its signed data decoded; of version 1, as it is.
 * @param {string} [body]
 */
function content(body) {
  if (body === undefined) {
    return [h("p", { class: "quiet" }, "It is not signed yet.")];
  }
  const value = parsed(body);
  const header = decodedJWS(value?.signedPayload)?.header;
  const payload = withPayloads(value?.signedPayload ?? value);
  return [
    h("h2", null, "Payload"), codeBlock("Payload", JSON.stringify(payload, null, 2)),
    header === undefined ? null : h("details", null, h("summary", null, "Header of the JWS"),
      codeBlock("Header", JSON.stringify(header, null, 2))),
    h("details", null, h("summary", null, "Body as it is sent"), codeBlock("Body", body)),
  ];
}

/** @param {string} text */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
