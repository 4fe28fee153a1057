// What can be done in the shop: catalogues, apps and gift codes.

import { at } from "../connection.js";
import { amount, commandTime, milliseconds } from "../format.js";
import { currencyOf } from "../storefronts.js";
import { codeBlock } from "../parts/basics.js";
import { environments as names, titled } from "../parts/filters.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("./shop.js").App} App */

/** @type {[string, string][]} */
export const environments = titled(names);

/**
 * @param {string} [bundleId] Asked for if absent.
 * @param {App[]} [apps] Those whose catalogue would be replaced.
 * @returns {Action}
 */
export function importCatalogue(bundleId, apps = []) {
  return {
    title: "Import a catalogue",
    confirm: bundleId ??
      ((values) => apps.find(({ bundleId }) => bundleId === values.bundleId)?.bundleId),
    text: "Imports a StoreKit configuration file of Xcode. A product that was ever sold is taken " +
      "off sale instead of deleted; a broken file changes nothing.",
    fields: [
      ...(bundleId === undefined
        ? [{ name: "bundleId", label: "Bundle identifier", help: "Such as com.example.app" }] : []),
      { name: "file", label: "Catalogue file (.storekit)", type: "file" },
    ],
    request: (values) => ({ method: "PUT", body: values.file,
      path: at`apps/${bundleId ?? values.bundleId}/catalog` }),
    command: (values) => ["catalog", "import", [values.file.name],
      "--bundle-id", bundleId ?? values.bundleId],
    errors: { badCatalogue: "file", badField: "bundleId" },
    done: ({ added, changed, removed, unchangedCount }) => `${added.length} added, ` +
      `${changed.length} changed, ${removed.length} removed, ${unchangedCount} unchanged`,
  };
}

/** @param {App} app @returns {Action[]} */
export function ofApp({ bundleId, developer, appAppleId, delayMilliseconds, gracePeriodDays }) {
  const last = ["--bundle-id", bundleId];
  return [
    {
      title: "Set grace period",
      text: "A subscription whose renewal is unpaid stays active for this time, a weekly one for " +
        "at most 6 days. It applies to payments that fail from now on.",
      fields: [{ name: "days", label: "Grace period", type: "choice",
        value: String(gracePeriodDays ?? "none"),
        choices: [["none", "None"], ["3", "3 days"], ["16", "16 days"], ["28", "28 days"]] }],
      request: ({ days }) => ({ method: "PUT", path: at`apps/${bundleId}/grace-period`,
        body: { days: days === "none" ? null : Number(days) } }),
      command: ({ days }) => ["shop", "set", ...last, "--grace-period", days],
    },
    {
      title: "Set delay",
      text: "How long changes of the catalogue take to reach devices, by the world's clock.",
      fields: [{ name: "delay", label: "Delay", isOptional: true,
        help: "Such as 90s, 15m, 12h or 7d; 0s for at once. Empty applies the world's delay.",
        value: delayMilliseconds === undefined ? "" : amount(delayMilliseconds) }],
      request: ({ delay }) => ({ method: "PUT", path: at`apps/${bundleId}/delay`,
        body: { milliseconds: delay === "" ? null : milliseconds(delay) ?? delay } }),
      command: ({ delay }) => ["shop", "set", ...last, "--delay", delay || "world"],
      errors: { badField: "delay", badBody: "delay" },
    },
    {
      title: "Assign to a developer",
      fields: [{ name: "developer", label: "Developer account", value: developer }],
      request: (body) => ({ method: "PUT", path: at`apps/${bundleId}/developer`, body }),
      command: ({ developer }) => ["developer", "assign", [developer], ...last],
      errors: { developerUnknown: "developer" },
    },
    {
      title: "Set app number",
      text: "Apple's appAppleId, which is in receipts of production.",
      fields: [{ name: "appAppleId", label: "Number in the App Store", type: "number",
        value: String(appAppleId) }],
      request: (body) => ({ method: "PUT", path: at`apps/${bundleId}/number`, body }),
      command: ({ appAppleId }) => ["shop", "set", ...last, "--app-number", appAppleId],
      errors: { appNumberTaken: "appAppleId", badField: "appAppleId", badBody: "appAppleId" },
    },
  ];
}

/** @param {string} bundleId @returns {Action} */
export function redeemOfferCode(bundleId) {
  return {
    title: "Redeem an offer code",
    text: "Acts for a customer as on the payment sheet.",
    fields: [
      { name: "code", label: "Code" }, { name: "name", label: "Customer" },
      { name: "environment", label: "Environment", type: "choice", choices: environments },
    ],
    request: (body) => ({ method: "POST", path: at`apps/${bundleId}/offer-codes/redeem`, body }),
    command: ({ code, name, environment }) => ["offer-code", "redeem", [code, name],
      "--environment", environment, "--bundle-id", bundleId],
    errors: { offerCodeUnknown: "code", accountUnknown: "name", noDevice: "name" },
    done: ({ account, productId }) => `${account} redeemed the code for ${productId}`,
  };
}

/** @returns {Action} */
export function makeGiftCode() {
  return {
    title: "Make a gift code",
    text: "The store shows the code once: it keeps only a digest.",
    fields: [
      { name: "amount", label: "Amount", value: "25" },
      { name: "currency", label: "Currency", value: currencyOf("USA") },
      { name: "environment", label: "Environment", type: "choice", choices: environments },
      { name: "expires", label: "Expires", type: "time", isOptional: true },
    ],
    request: ({ expires, ...body }) => ({ method: "POST", path: "gift-codes",
      body: { ...body, expiresAt: expires ?? undefined } }),
    command: ({ amount, currency, environment, expires }) => ["gift-code", "make",
      [amount, currency], "--environment", environment,
      ...(expires === null ? [] : ["--expires", commandTime(expires)])],
    errors: { badField: "amount" },
    done: ({ number }) => `Made gift code ${number}`,
    shows: ({ code }) => [codeBlock("Gift code", code)],
  };
}

/** @param {number} number @returns {Action} */
export function voidGiftCode(number) {
  return {
    title: `Void gift code ${number}`, label: "Void", confirm: String(number),
    text: "Nobody can redeem it from then on.",
    request: () => ({ method: "DELETE", path: at`gift-codes/${number}` }),
    command: () => ["gift-code", "void", String(number)],
  };
}
