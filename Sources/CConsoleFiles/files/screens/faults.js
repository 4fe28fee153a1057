// What the store is made to answer wrongly, to test its clients.

import { actionButton, actionButtons } from "../action.js";
import { h } from "../dom.js";
import { counted, duration, number, phrase } from "../format.js";
import { chip, empty, fresh, id } from "../parts/basics.js";
import { table } from "../parts/table.js";
import * as actions from "./fault-actions.js";

/** @typedef {{path: string, environment?: string, status?: number, errorCode?: number,
 *   breaks?: boolean, delayMilliseconds?: number, count?: number, percentage?: number,
 *   seed?: number}} RequestFault */
/** @typedef {{status: number, isRetryable?: boolean, count?: number}} ReceiptFault */
/** @typedef {{isOn: boolean, hourlyMax?: number}} Limits */
/** @typedef {{faults: {requests?: RequestFault[], verifyReceipt?: ReceiptFault},
 *   limits: Limits}} All */

/** @param {import("./index.js").Context} context @returns {import("./index.js").View} */
export function show({ world, signal }) {
  const page = fresh(signal, async (signal) => ({
    faults: await world.get("faults", {}, signal),
    limits: await world.get("server-api/limits", {}, signal),
  }), (/** @type {All} */ { faults, limits }) => {
    const { verifyReceipt, requests = [] } = faults;
    const list = table({
      label: "Faults of requests", signal,
      key: (/** @type {RequestFault} */ { path, environment }) => `${environment ?? ""}${path}`,
      empty: () => empty("Requests are answered correctly.",
        world, ["fault", "request", "/verifyReceipt", "--status", "503", "--count", "2"]),
      columns: [
        { title: "Path", cell: ({ path, count }) =>
          [id(path), h("div", { class: "narrow" }, left(count))] },
        { title: "Environment", isWide: true, cell: ({ environment }) =>
          environment === undefined ? "Both" : phrase(environment) },
        { title: "Answer", cell: answer },
        { title: "Left", isWide: true, cell: ({ count }) => left(count) },
        { title: "End", cell: (fault) =>
          actionButtons(world, [actions.endRequestFault(fault)]) },
      ],
    });
    list.show(requests);
    const onCount = requests.length + (verifyReceipt === undefined ? 0 : 1);
    return [
      h("div", { class: "filters" },
        onCount === 0 ? chip("No fault is on", "good")
          : chip(`${counted(onCount, "fault")} on`, "bad"),
        limits.isOn ? chip("Limits are on", "warn") : null,
        onCount === 0 ? null : actionButton(world, actions.endAll())),
      h("p", { class: "quiet" }, "Faults and limits end when the store stops."),
      h("div", { class: "columns" },
        h("section", { class: "card" }, h("h2", null, "verifyReceipt"),
          h("p", null, verifyReceipt === undefined ? "Answers correctly."
            : [chip(`Answers ${verifyReceipt.status}`, "bad"), " ",
              retryable(verifyReceipt), left(verifyReceipt.count), "."]),
          actionButtons(world, [actions.setReceiptFault(),
            ...(verifyReceipt === undefined ? [] : [actions.endReceiptFault()])])),
        h("section", { class: "card" }, h("h2", null, "App Store Server API"),
          h("p", null, !limits.isOn ? "Requests are not limited."
            : [chip("Limited", "warn"), " ", limits.hourlyMax === undefined ? "As Apple does."
              : `At most ${number(limits.hourlyMax)} requests an hour, or Apple's limit.`]),
          actionButtons(world, [actions.setLimits(limits)]))),
      h("h2", null, "Requests"),
      actionButtons(world, [actions.setRequestFault()]),
      list.element,
    ];
  });
  return { element: h("div", null, h("h1", null, "Faults"), page) };
}

/** @param {RequestFault} fault */
function answer({ status, errorCode, breaks, delayMilliseconds, percentage, seed }) {
  const late = [delayMilliseconds ? `after ${duration(delayMilliseconds * 1000)} ` : null,
    percentage === undefined ? null : `to ${percentage} % of requests (seed ${seed})`];
  return breaks ? [chip("Connection closed", "bad"), " ", ...late]
    : status !== undefined ? [chip(String(status), "bad"), " ", ...late]
    : errorCode !== undefined ? [chip(`Error ${errorCode}`, "bad"), " ", ...late]
    : [chip("Late", "warn"), " ", ...late];
}

/** @param {ReceiptFault} fault */
function retryable({ isRetryable }) {
  return isRetryable === undefined ? null
    : isRetryable ? "to be tried again, " : "not to be tried again, ";
}

/** @param {number} [count] */
function left(count) {
  return count === undefined ? "until it is ended" : `for ${counted(count, "more request")}`;
}
