// What can be done about notifications: where they go, and how they are delivered.

import { option } from "../command.js";
import { at } from "../connection.js";
import { amount, counted } from "../format.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("./server-urls.js").Target} Target */

/** @returns {Action} */
export function settle() {
  return {
    title: "Settle",
    text: "Waits, for 10 seconds at most, until all notifications that are due were attempted.",
    request: () => ({ method: "POST", path: "notifications/settle" }),
    command: () => ["notification", "settle"],
    done: ({ due, later }) => `${counted(due, "notification")} still due, ${later} later`,
  };
}

/** @param {number} number @returns {Action} */
export function resend(number) {
  return {
    title: "Send again",
    text: "Sends the same bytes once more, whatever became of earlier attempts.",
    request: () => ({ method: "POST", path: at`notifications/${number}/resend` }),
    command: () => ["notification", "resend", String(number)],
    done: () => `Notification ${number} is on its way`,
  };
}

/**
 * @param {string} app
 * @param {string} environment
 * @param {Target} [target]
 * @returns {Action[]}
 */
export function ofServer(app, environment, target) {
  return target === undefined ? [set(app, environment)] : [
    set(app, environment, target), test(app, environment), send(app, environment),
    disorder(app, environment, target),
    {
      title: "Remove", confirm: app,
      text: "The server is no longer notified. Pending notifications are dropped.",
      request: () => ({ method: "DELETE",
        path: at`apps/${app}/notification-targets/${environment}` }),
      command: () => ["notification", "remove", [app], "--environment", environment],
      done: () => `The server of ${app} is no longer notified`,
    },
  ];
}

/** @param {string} app @param {string} environment @param {Target} [target] @returns {Action} */
function set(app, environment, target) {
  return {
    title: "Set URL",
    text: "Notifications still to be delivered go to the new URL.",
    fields: [
      { name: "url", label: "URL", value: target?.url,
        help: "By TLS, unless private addresses are allowed" },
      { name: "version", label: "Version", type: "choice", value: target?.version ?? "V2",
        choices: [["V2", "2"], ["V1", "1"]] },
      { name: "sharedSecret", label: "Shared secret", type: "password", isOptional: true,
        help: "One of the app's; notifications of version 1 carry it as their password",
        when: ({ version }) => version === "V1" },
      { name: "allowsPrivateAddresses", type: "switch",
        label: "May be on this machine or network, and by plain HTTP",
        value: target?.allowsPrivateAddresses ?? true },
      { name: "certificateAuthority", label: "Certificates to trust", type: "long",
        isOptional: true, value: target?.certificateAuthority,
        help: "As PEM, instead of the system's" },
    ],
    request: ({ sharedSecret, certificateAuthority, ...values }) => ({
      method: "PUT", path: at`apps/${app}/notification-targets/${environment}`,
      body: { ...values, certificateAuthority: certificateAuthority || undefined,
        sharedSecret: values.version === "V1" && sharedSecret || undefined },
    }),
    command: (values) => ["notification", "set", [app, values.url], "--environment", environment,
      "--version", values.version === "V1" ? "1" : "2",
      values.allowsPrivateAddresses && "--private",
      ...option("--ca", values.certificateAuthority && "authority.pem"),
      ...option("--shared-secret-file",
        values.version === "V1" && values.sharedSecret && "shared-secret")],
    done: ({ url }) => `Notifications go to ${url}`,
  };
}

/** @param {string} app @param {string} environment @returns {Action} */
function test(app, environment) {
  return {
    title: "Send a test", text: "As Request a Test Notification does.",
    request: () => ({ method: "POST",
      path: at`apps/${app}/notification-targets/${environment}/test` }),
    command: () => ["notification", "test", [app], "--environment", environment],
    done: ({ number }) => `Test notification ${number} is on its way`,
  };
}

/** @param {string} app @param {string} environment @returns {Action} */
function send(app, environment) {
  const token = "EXTERNAL_PURCHASE_TOKEN", consent = "RESCIND_CONSENT";
  /** @param {import("../action.js").Values} values */
  const taken = ({ notificationType, subtype, externalPurchaseId, transactionId, account }) =>
    notificationType === token
      ? { subtype, externalPurchaseId: externalPurchaseId || undefined }
      : notificationType === consent ? { account } : { transactionId };
  return {
    title: "Send another type",
    text: "Of a service that the store does not have. Nothing else in the store changes.",
    fields: [
      { name: "notificationType", label: "Type", type: "choice", choices: [
        "METADATA_UPDATE", "MIGRATION", "PRICE_CHANGE", token, consent].map((it) => [it, it]) },
      { name: "subtype", label: "Subtype", type: "choice", choices: [
        "CREATED", "ACTIVE_TOKEN_REMINDER", "UNREPORTED"].map((it) => [it, it]),
      when: ({ notificationType }) => notificationType === token },
      { name: "externalPurchaseId", label: "Token", isOptional: true,
        help: "One that was reported before; a new one if empty",
        when: ({ notificationType }) => notificationType === token },
      { name: "transactionId", label: "Transaction", help: "Any of a subscription",
        when: ({ notificationType }) => ![token, consent].includes(notificationType) },
      { name: "account", label: "Customer", help: "Whose parents withdrew their consent",
        when: ({ notificationType }) => notificationType === consent },
    ],
    request: (values) => ({
      method: "POST", path: at`apps/${app}/notification-targets/${environment}/notifications`,
      body: { notificationType: values.notificationType, ...taken(values) },
    }),
    command: (values) => {
      const { subtype, externalPurchaseId, transactionId, account } = taken(values);
      return ["notification", "send",
        [app, [values.notificationType, subtype].filter(Boolean).join("/")],
        "--environment", environment, ...option("--transaction", transactionId),
        ...option("--account", account), ...option("--token", externalPurchaseId)];
    },
    errors: { transactionUnknown: "transactionId", accountUnknown: "account",
      appTransactionUnknown: "account" },
    done: ({ number }) => `Notification ${number} is on its way`,
  };
}

/** @param {string} app @param {string} environment @param {Target} target @returns {Action} */
function disorder(app, environment, { disorder = {} }) {
  /** @type {(name: string, label: string, value?: number, help?: string) =>
   *   import("../action.js").Field} */
  const field = (name, label, value, help) => ({
    name, label, help, type: "number", isOptional: true, isWhole: true,
    value: value ? String(value) : "",
  });
  return {
    title: "Disorder",
    text: "Spoils deliveries, to test the server: it should come to the same state whatever is " +
      "lost, late, doubled or out of order. With all fields empty it ends.",
    fields: [
      field("dropped", "Dropped, in percent", disorder.dropped, "Attempts that are never sent"),
      field("duplicated", "Duplicated, in percent", disorder.duplicated),
      field("reordered", "Reordered, in percent", disorder.reordered,
        "Those that wait for a later one"),
      field("delayed", "Delayed, in percent", disorder.delayed),
      { ...field("seconds", "For up to, in seconds",
        disorder.delayMilliseconds && disorder.delayMilliseconds / 1000, "Of the world's time"),
      isWhole: false },
      field("seed", "Seed", disorder.seed, "The same seed spoils the same notifications"),
    ],
    request: ({ seconds, ...values }) => ({
      method: "PUT", path: at`apps/${app}/notification-targets/${environment}/disorder`,
      body: Object.fromEntries(Object.entries({ ...values,
        delayMilliseconds: seconds === null ? null : Math.round(seconds * 1000),
      }).filter(([, value]) => value !== null)),
    }),
    command: ({ seconds, ...values }) => ["notification", "disorder", [app],
      "--environment", environment,
      ...Object.entries(values).flatMap(([name, value]) => option(`--${name}`, value)),
      ...option("--delay", seconds === null ? null : amount(Math.round(seconds * 1000)))],
    errors: { delayMilliseconds: "seconds" },
    done: ({ disorder }) => disorder === undefined ? "Deliveries are in order"
      : "Deliveries are in disorder",
  };
}
