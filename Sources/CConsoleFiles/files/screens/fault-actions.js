// What makes the store answer wrongly, and correctly again.

import { option } from "../command.js";
import { connection } from "../connection.js";
import { amount } from "../format.js";
import { environments, titled } from "../parts/filters.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("../action.js").Field} Field */
/** @typedef {import("./faults.js").RequestFault} RequestFault */
/** @typedef {import("./faults.js").Limits} Limits */

/** @type {Field} */
const count = {
  name: "count", label: "For how many requests", type: "number", isOptional: true, isWhole: true,
  help: "Empty: until it is ended",
};

/** @param {import("../action.js").Values} values */
const isOfPause = ({ status }) => status >= 21100;

/** @returns {Action} */
export function setReceiptFault() {
  return {
    title: "Set a status", text: "verifyReceipt answers every receipt with this status.",
    fields: [
      { name: "status", label: "Status", type: "number", value: "21005",
        help: "21005, 21009, 21010, or 21100 to 21199" },
      { name: "isRetryable", label: "Try again", type: "choice", when: isOfPause,
        choices: [["", "Not said"], ["yes", "Yes"], ["no", "No"]], isOptional: true },
      count,
    ],
    request: (values) => ({ method: "PUT", path: "faults/verify-receipt", body: {
      status: values.status, count: values.count ?? undefined,
      isRetryable: isOfPause(values) && values.isRetryable ? values.isRetryable === "yes"
        : undefined,
    } }),
    command: (values) => ["fault", "verify-receipt", String(values.status ?? "STATUS"),
      ...option("--count", values.count),
      ...(isOfPause(values) ? option("--retryable", values.isRetryable) : [])],
    done: ({ verifyReceipt }) => `verifyReceipt answers ${verifyReceipt.status}`,
  };
}

/** @returns {Action} */
export function endReceiptFault() {
  return {
    title: "End it", text: "verifyReceipt answers correctly again.",
    request: () => ({ method: "DELETE", path: "faults/verify-receipt" }),
    command: () => ["fault", "clear", "verify-receipt"],
    done: () => "verifyReceipt answers correctly",
  };
}

/** @returns {Action} */
export function setRequestFault() {
  return {
    title: "Add a fault",
    text: "It replaces the fault that the path has in the environment.",
    fields: [
      { name: "path", label: "Path", suggest: paths,
        help: "Below the environment, such as /verifyReceipt or " +
          "/inApps/v1/transactions/{transactionId}" },
      { name: "environment", label: "Environment", type: "choice", isOptional: true,
        choices: [["", "Both"], ...titled(environments)] },
      { name: "answer", label: "Answer", type: "choice", choices: [
        ["status", "An HTTP status"], ["error", "An error of the App Store Server API"],
        ["break", "None: the connection is closed"], ["late", "The usual one, but late"]] },
      { name: "status", label: "HTTP status", type: "number", value: "503", help: "400 to 599",
        when: ({ answer }) => answer === "status" },
      { name: "errorCode", label: "Error", type: "number", value: "5000001",
        when: ({ answer }) => answer === "error" },
      { name: "seconds", label: "Delay, in seconds", type: "number", isOptional: true,
        isWhole: false, help: "60 at most" },
      count,
      { name: "percentage", label: "Percentage of requests", type: "number", isOptional: true,
        isWhole: true, help: "Empty: every request" },
      { name: "seed", label: "Seed", type: "number", isOptional: true, isWhole: true,
        help: "The same seed picks the same requests",
        when: ({ percentage }) => percentage !== null },
    ],
    request: ({ path, environment, answer, status, errorCode, seconds, count, percentage,
      seed }) => ({
      method: "PUT", path: "faults/requests", body: {
        path, environment: environment || undefined, count: count ?? undefined,
        delayMilliseconds: seconds === null ? undefined : Math.round(seconds * 1000),
        status: answer === "status" ? status : undefined,
        errorCode: answer === "error" ? errorCode : undefined,
        breaks: answer === "break" ? true : undefined, percentage: percentage ?? undefined,
        seed: percentage === null ? undefined : seed ?? undefined,
      } }),
    command: ({ path, environment, answer, status, errorCode, seconds, count, percentage,
      seed }) => [
      "fault", "request", path, ...option("--environment", environment),
      ...(answer === "status" ? option("--status", status) : []),
      ...(answer === "error" ? option("--error", errorCode) : []),
      answer === "break" && "--break",
      ...option("--delay", seconds === null ? null : amount(Math.round(seconds * 1000))),
      ...option("--count", count), ...option("--percentage", percentage),
      ...(percentage === null ? [] : option("--seed", seed))],
    errors: { badField: "path", delayMilliseconds: "seconds" },
    done: () => "The fault is on",
  };
}

/** @param {RequestFault} fault @returns {Action} */
export function endRequestFault({ path, environment }) {
  return {
    title: "End", text: `Requests to ${path} are answered correctly again.`,
    request: () => ({ method: "DELETE", path: "faults/requests", query: { path, environment } }),
    command: () => ["fault", "clear", path, ...option("--environment", environment)],
    done: () => `Ended the fault of ${path}`,
  };
}

/** @returns {Action} */
export function endAll() {
  return {
    title: "End all faults", text: "Every request is answered correctly again.",
    request: () => ({ method: "PUT", path: "faults", body: {} }),
    command: () => ["fault", "clear"],
    done: () => "No fault is on",
  };
}

/** @param {Limits} limits @returns {Action} */
export function setLimits({ isOn, hourlyMax }) {
  return {
    title: "Set limits",
    text: "Requests are counted by the hour of the real clock, for each app, environment and " +
      "limit, anew from here on.",
    fields: [
      { name: "turn", label: "Limits", type: "choice", value: isOn ? "on" : "off",
        choices: [["on", "On, as Apple has them"], ["off", "Off"]] },
      { name: "hourlyMax", label: "Requests an hour, at most", type: "number", isOptional: true,
        value: hourlyMax === undefined ? "" : String(hourlyMax), when: ({ turn }) => turn === "on",
        help: "Where Apple allows more" },
    ],
    request: ({ turn, hourlyMax }) => ({ method: "PUT", path: "server-api/limits", body: {
      isOn: turn === "on", hourlyMax: turn === "on" && hourlyMax || undefined } }),
    command: ({ turn, hourlyMax }) => ["server-api", "limits", turn,
      ...(turn === "on" ? option("--hourly-max", hourlyMax) : [])],
    errors: { badField: "hourlyMax" },
    done: ({ isOn }) => `Limits are ${isOn ? "on" : "off"}`,
  };
}

/**
 * The paths below an environment that the store's document has.
 * @returns {Promise<[string, string][]>}
 */
async function paths() {
  const { paths } = await connection.request("GET", "/openapi.json");
  const prefix = "/{environment}";
  return Object.keys(paths).filter((path) => path.startsWith(prefix))
    .map((path) => [path.slice(prefix.length), ""]);
}
