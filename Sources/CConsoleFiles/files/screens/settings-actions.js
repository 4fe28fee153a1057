// What can be set: the shop, developer accounts, limits and certificates.

import { option } from "../command.js";
import { at } from "../connection.js";
import { amount, milliseconds, phrase } from "../format.js";

/** @typedef {import("../action.js").Action} Action */

/** @param {{delayMilliseconds: number, newProducts: string}} shop @returns {Action} */
export function setShop({ delayMilliseconds, newProducts }) {
  const present = amount(delayMilliseconds);
  return {
    title: "Change the shop",
    fields: [
      { name: "newProducts", label: "New products", type: "choice", value: newProducts, choices: [
        ["clearedForSale", "Are cleared for sale at once"],
        ["waitForReview", "Wait for review"]] },
      { name: "delay", label: "Delay of changes", value: present,
        help: "Until devices see a change: 90s, 15m, 12h, 7d at most; 0s for at once" },
    ],
    request: ({ newProducts, delay }) => ({ method: "PUT", path: "shop",
      body: { newProducts, delayMilliseconds: delay === present ? undefined
        : milliseconds(delay) ?? delay } }),
    command: ({ newProducts, delay }) => ["shop", "set",
      "--new-products", newProducts === "waitForReview" ? "wait" : "clear",
      ...option("--delay", delay !== present && delay)],
    errors: { badField: "delay", badBody: "delay" },
  };
}

/** @returns {Action} */
export function addDeveloper() {
  return {
    title: "New developer account",
    fields: [{ name: "name", label: "Name" }],
    request: (body) => ({ method: "POST", path: "developers", body }),
    command: ({ name }) => ["developer", "add", [name]],
    errors: { nameTaken: "name", badField: "name" },
    done: ({ name }) => `Made ${name}`,
  };
}

/** @param {string} environment @param {string} role @returns {Action} */
export function rotate(environment, role) {
  return {
    title: `Rotate the ${role} of ${environment}`, label: `Rotate ${role}`,
    text: "Data are signed under another certificate from now on. Data signed earlier stays valid.",
    request: () => ({ method: "POST", path: at`certificates/${environment}/${role}/rotate` }),
    command: () => ["certificate", "rotate", role, "--environment", environment],
  };
}

/** @param {string} environment @param {string} role @returns {Action} */
export function expire(environment, role) {
  return {
    title: `Expire the ${role} of ${environment}`, label: `Expire ${role}`, confirm: role,
    text: "Data are signed under a certificate that ends now, until it is rotated.",
    request: () => ({ method: "POST", path: at`certificates/${environment}/${role}/expire` }),
    command: () => ["certificate", "expire", role, "--environment", environment],
  };
}

const reasons = ["unspecified", "keyCompromise", "caCompromise", "affiliationChanged",
  "superseded", "cessationOfOperation", "privilegeWithdrawn"];

/** @param {import("./settings.js").Certificate} certificate @returns {Action} */
export function revoke({ environment, role, serial }) {
  return {
    title: `Revoke the ${role} ${serial.slice(0, 8)}`, label: "Revoke", confirm: role,
    text: "Verifiers that work online refuse everything signed under it, for good.",
    fields: [{ name: "reason", label: "Reason", type: "choice",
      choices: reasons.map((reason) => [reason, phrase(reason)]) }],
    request: ({ reason }) => ({ method: "POST",
      path: at`certificates/${environment}/${role}/revoke`, body: { reason, serial } }),
    command: ({ reason }) => ["certificate", "revoke", role, "--reason", reason,
      "--serial", serial, "--environment", environment],
  };
}
