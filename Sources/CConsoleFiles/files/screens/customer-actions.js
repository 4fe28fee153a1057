// What can be done for customers.

import { option } from "../command.js";
import { commandTime, counted, phrase } from "../format.js";
import { environments, titled } from "../parts/filters.js";
import { accounts, apps } from "../parts/suggest.js";
import { resolve } from "./approval-actions.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("../action.js").Field} Field */
/** @typedef {import("../connection.js").World} World */
/** @typedef {import("./customers.js").Account} Account */
/** @typedef {import("../command.js").Words} Words */

/** @type {Field} */
const storefront = { name: "storefront", label: "Storefront", value: "USA",
  help: "Three letters of a country, such as DEU" };
/** @type {Field} */
const finish = { name: "finish", label: "Finish what was bought, as an app does", type: "switch" };

/** @param {boolean} value */
const onOff = (value) => value ? "on" : "off";

/** @returns {Action} */
export function add() {
  return {
    title: "New customer",
    fields: [
      { name: "name", label: "Name" },
      { name: "environment", label: "Environment", type: "choice", choices: titled(environments) },
      storefront,
      { name: "password", label: "Password", type: "password", isOptional: true,
        help: "At least 8 characters. Without one, nobody can sign in to the account." },
      { name: "needsApproval", label: "Ask to Buy: someone else approves its purchases",
        type: "switch" },
    ],
    request: (values, _) => ({
      method: "POST", path: "accounts",
      body: { ...values, password: values.password || undefined },
    }),
    command: ({ name, environment, storefront, password, needsApproval }) => [
      "account", "add", [name], "--environment", environment, "--storefront", storefront,
      ...(password ? ["--password", password] : ["--without-password"]),
      needsApproval && "--needs-approval",
    ],
    errors: { nameTaken: "name", badName: "name", storefrontUnknown: "storefront" },
    done: ({ name }) => `Made ${name}`,
  };
}

/**
 * A choice of the world's apps.
 * @param {World} world
 * @returns {Field}
 */
function app(world) {
  return { name: "bundleId", label: "App", type: "choice", choices: async () =>
    (await apps(world)()).map(([bundleId]) => [bundleId, bundleId]) };
}

/** @param {World} world @param {Account} account @returns {Action} */
export function buy(world, { name, environment }) {
  const isTest = !world.isDefault && environment === "sandbox";
  /** @type {Record<string, string>} */
  const named = { promotional: "promotional", winBack: "win-back", code: "code",
    ...(isTest ? { codeOffer: "code-offer" } : {}) };
  /** @type {Field[]} */
  const past = [
    { name: "purchasedAt", label: "Purchased in the past", type: "time", isOptional: true,
      help: "Before the world's time. A subscription has then renewed until now." },
    { name: "cancelsAtOnce", label: "Turn renewal off at once", type: "switch",
      when: ({ purchasedAt }) => purchasedAt !== null },
  ];
  return {
    title: "Buy",
    text: "Buys on a device that the store keeps for the customer.",
    fields: [
      app(world),
      { name: "productId", label: "Product", type: "choice", follows: "bundleId",
        choices: async ({ bundleId }) => bundleId === "" ? [] : products(world, bundleId) },
      { name: "quantity", label: "Quantity", type: "number", value: "1" },
      { name: "offer", label: "Offer", type: "choice", choices: [["", "What applies by itself"],
        ["introductory", "Introductory"], ["promotional", "Promotional"],
        ["winBack", "Win-back"], ["code", "Offer code"],
        ...(isTest ? [/** @type {[string, string]} */ (["codeOffer", "Offer of a code"])] : [])] },
      { name: "offerId", label: "The offer's identifier, or the code",
        when: ({ offer }) => offer in named },
      { name: "username", label: "The app's name for the customer", isOptional: true,
        help: "applicationUsername; a UUID is the purchase's appAccountToken." },
      ...(isTest ? past : []), finish,
    ],
    request: ({ bundleId, productId, quantity, offer, offerId, username, finish, ...more },
      attemptId) => {
      const { purchasedAt, cancelsAtOnce } = more;
      const test = offer === "codeOffer" || purchasedAt ? {
        codeOfferReferenceName: offer === "codeOffer" ? offerId : undefined,
        purchasedAt: purchasedAt ?? undefined,
        cancelsAtOnce: purchasedAt && cancelsAtOnce || undefined,
      } : undefined;
      return { method: "POST", path: "purchases", body: {
        account: name, environment, bundleId, productId, attemptId,
        quantity: quantity ?? undefined, applicationUsername: username || undefined,
        finish: finish || undefined, test,
        offer: offer === "" || offer === "codeOffer" ? undefined
          : { [offer]: offer === "introductory" || offerId },
      } };
    },
    command: ({ bundleId, productId, quantity, offer, offerId, username, finish, ...more }) => [
      "buy", [productId], "--account", name, "--bundle-id", bundleId,
      ...option("--quantity", quantity === 1 ? null : quantity),
      ...option("--offer", offer in named ? `${named[offer]}:${offerId}` : offer),
      ...option("--username", username),
      ...option("--purchased", more.purchasedAt && commandTime(more.purchasedAt)),
      more.purchasedAt && more.cancelsAtOnce && "--cancel", finish && "--finish",
      "--environment", environment],
    refusal: ({ refusal }) => refusal,
    done: ({ state, transaction }) => state === "done" && transaction
      ? `Bought ${transaction.productId}` : `The purchase is ${phrase(state).toLowerCase()}`,
    errors: { productUnknown: "productId", productNotForSale: "productId",
      kindNotSold: "productId", alreadySubscribed: "productId", quantityNotAllowed: "quantity",
      offerCodeUnknown: "offerId", invalidOfferIdentifier: "offerId", notATest: "purchasedAt",
      dateOutOfRange: "purchasedAt", subscriptionOverlaps: "purchasedAt" },
  };
}

/** @param {World} world @param {string} bundleId @returns {Promise<[string, string][]>} */
async function products(world, bundleId) {
  const { products } = await world.get(`apps/${encodeURIComponent(bundleId)}/products`);
  return products.map((/** @type {any} */ { productId, kind, state }) => [productId,
    `${productId} · ${phrase(kind)}${state === "clearedForSale" ? "" : ` · ${phrase(state)}`}`]);
}

/** @param {World} world @param {Account} account @returns {Action} */
export function restore(world, { name, environment }) {
  return {
    title: "Restore",
    text: "Restores the customer's purchases on the device that the store keeps for it.",
    fields: [app(world), finish],
    request: ({ bundleId, finish }, restoreId) => ({ method: "POST", path: "restores", body: {
      account: name, environment, bundleId, restoreId, finish: finish || undefined } }),
    command: ({ bundleId, finish }) => ["restore", "--account", name, "--bundle-id", bundleId,
      finish && "--finish", "--environment", environment],
    done: ({ transactions, next }) =>
      `Restored ${counted(transactions.length, "purchase")}${next ? " and more" : ""}`,
    errors: { appUnknown: "bundleId" },
  };
}

/** @param {Account} account @returns {Action} */
export function settings(account) {
  const { name, environment } = account;
  /** @type {["needsApproval" | "interruptsPurchases" | "failsRenewals", string, string][]} */
  const list = [
    ["needsApproval", "approval", "Ask to Buy: someone else approves its purchases"],
    ["interruptsPurchases", "interrupt", "Interrupt its purchases until they are resolved"],
    ["failsRenewals", "fail-renewals", "Fail the payments of its renewals"],
  ];
  const changed = (/** @type {import("../action.js").Values} */ values) =>
    list.filter(([name]) => values[name] !== account[name]);
  return {
    title: "Settings",
    text: "How the customer's next purchases and renewals proceed.",
    fields: list.map(([name, _, label]) =>
      ({ name, label, type: "switch", value: account[name] })),
    request: (values) => ({ method: "POST", path: "accounts/settings", body: { name, environment,
      ...Object.fromEntries(changed(values).map(([name]) => [name, values[name]])) } }),
    command: (values) => changed(values).map(([setting, word]) =>
      ["account", word, [name, onOff(values[setting])], "--environment", environment]),
    done: () => "The settings are in force",
  };
}

/** @param {World} world @param {Account} account @returns {Action[]} */
export function others(world, account) {
  const { name, environment, lock } = account;
  const of = { name, environment };
  const last = ["--environment", environment];
  /** @type {(path: string, title: string, command: Words) => Action} */
  const plain = (path, title, command) => ({
    title, request: () => ({ method: "POST", path: `accounts/${path}`, body: of }),
    command: () => ["account", ...command, ...last],
  });
  return [
    { ...resolve(world, account), title: "Resolve interrupted purchases" },
    {
      title: "New password", text: "Signs the customer out on every device, and ends a lock that " +
        "wrong passwords caused.",
      fields: [{ name: "password", label: "Password", type: "password",
        help: "At least 8 characters" }],
      request: ({ password }) => ({ method: "POST", path: "accounts/password",
        body: { ...of, password } }),
      command: ({ password }) => ["account", "password", [name], "--password", password, ...last],
      errors: { badField: "password" },
    },
    {
      title: "Storefront", text: "The next purchases are made in this country's currency.",
      fields: [{ ...storefront, value: account.storefront }],
      request: ({ storefront }) => ({ method: "POST", path: "accounts/storefront",
        body: { ...of, storefront } }),
      command: ({ storefront }) => ["account", "storefront", [name, storefront], ...last],
      errors: { storefrontUnknown: "storefront", badBody: "storefront" },
    },
    lock === undefined ? {
      ...plain("lock", "Lock", ["lock", [name]]),
      fields: [{ name: "reason", label: "Reason", isOptional: true,
        help: "The customer sees it" },
      { name: "until", label: "Until", type: "time", isOptional: true,
        help: "By the real clock" }],
      request: ({ reason, until }) => ({ method: "POST", path: "accounts/lock",
        body: { ...of, reason: reason || undefined,
          until: until ?? undefined } }),
      command: ({ reason, until }) => ["account", "lock", [name], ...option("--reason", reason),
        ...option("--until", until && commandTime(until)), ...last],
    } : plain("unlock", "Unlock", ["unlock", [name]]),
    plain("sign-out", "Sign out everywhere", ["sign-out", [name]]),
    {
      title: "Delete", confirm: name,
      text: "Deletes the account for good. Its history stays, under a pseudonym.",
      request: (_, requestId) => ({ method: "POST", path: "accounts/delete",
        body: { ...of, requestId } }),
      command: () => ["account", "delete", [name], "--yes", ...last],
    },
  ];
}

/** @param {Account} account @returns {Action[]} */
export function ofCredit({ name, environment }) {
  const of = { name, environment };
  const last = ["--environment", environment];
  /** @type {Field} */
  const amount = { name: "amount", label: "Amount",
    help: "Such as 4.99, in the currency of the customer's storefront" };
  const errors = { badField: "amount", creditTooLow: "amount", creditLimit: "amount" };
  return [
    {
      title: "Add credit", fields: [amount], errors,
      request: ({ amount }, requestId) => ({ method: "POST", path: "accounts/credit/top-up",
        body: { ...of, amount, requestId } }),
      command: ({ amount }) => ["credit", "add", [name, amount], ...last],
    },
    {
      title: "Take credit", text: "Corrects a mistake, down to a balance of zero.", errors,
      fields: [amount, { name: "reason", label: "Reason" }],
      request: ({ amount, reason }, requestId) => ({ method: "POST",
        path: "accounts/credit/correct",
        body: { ...of, amount: `-${amount}`, reason, requestId } }),
      command: ({ amount, reason }) =>
        ["credit", "take", [name, amount], "--reason", reason, ...last],
    },
    {
      title: "Redeem a gift code", fields: [{ name: "code", label: "Code" }],
      request: ({ code }) => ({ method: "POST", path: "accounts/credit/redeem",
        body: { ...of, code } }),
      command: ({ code }) => ["credit", "redeem", [name, code], ...last],
      errors: { giftCodeUnknown: "code", giftCodeRedeemed: "code", giftCodeVoided: "code",
        giftCodeExpired: "code" },
    },
  ];
}

/** @param {any} answer */
const familyChanged = ({ shared, takenBack }) => "The family changed: " +
  `${counted(shared, "purchase")} shared, ${counted(takenBack, "purchase")} taken back`;

/** @param {Account} account @returns {Action} */
export function makeFamily({ name, environment }) {
  return {
    title: "Make a family", text: "The customer becomes its organiser.",
    request: () => ({ method: "POST", path: "families", body: { organiser: name, environment } }),
    command: () => ["family", "make", [name], "--environment", environment],
    done: ({ family }) => `Made family ${family.number}`,
  };
}

/** @param {World} world @param {any} family @returns {Action[]} */
export function ofFamily(world, { number }) {
  return [
    {
      title: "Add a member", done: familyChanged,
      fields: [{ name: "name", label: "Customer", suggest: accounts(world) }],
      request: (body) => ({ method: "POST", path: `families/${number}/add`, body }),
      command: ({ name }) => ["family", "add", [`${number}`, name]],
      errors: { accountUnknown: "name", inFamily: "name" },
    },
    {
      title: "End the family", confirm: `family ${number}`, done: familyChanged,
      text: "Each member keeps their own purchases and loses what the others shared.",
      request: () => ({ method: "DELETE", path: `families/${number}` }),
      command: () => ["family", "delete", `${number}`],
    },
  ];
}

/** @param {number} number Of the family. @param {any} member @returns {Action[]} */
export function ofMember(number, { name, isOrganiser, sharesPurchases }) {
  const shares = !sharesPurchases;
  /** @type {Action[]} */
  const list = [{
    title: shares ? "Share purchases" : "Stop sharing", done: familyChanged,
    text: shares ? undefined : `The others lose what ${name} shared.`,
    confirm: shares ? undefined : name,
    request: () => ({ method: "POST", path: `families/${number}/sharing`,
      body: { name, sharesPurchases: shares } }),
    command: () => ["family", "share", [`${number}`, name, onOff(shares)]],
  }];
  return isOrganiser ? list : [...list, {
    title: "Remove", confirm: name, done: familyChanged,
    text: `${name} loses what the others shared, and they lose what ${name} shared.`,
    request: () => ({ method: "POST", path: `families/${number}/remove`, body: { name } }),
    command: () => ["family", "remove", [`${number}`, name]],
  }];
}

/** @param {Account} account @param {string} bundleId @param {any} [known] @returns {Action} */
export function appTransaction({ name, environment }, bundleId, known) {
  return {
    title: "Set app transaction", text: "The customer's next receipt shows it.",
    fields: [
      { name: "purchasedAt", label: "Got the app", type: "time", isOptional: true },
      { name: "version", label: "Original version", isOptional: known !== undefined,
        value: known?.originalApplicationVersion },
      { name: "platform", label: "Original platform", type: "choice", isOptional: true,
        value: known?.originalPlatform, choices: ["iOS", "macOS", "tvOS", "visionOS"]
          .map((name) => [name, name]) },
    ],
    request: ({ purchasedAt, version, platform }) => ({ method: "PUT",
      path: `apps/${encodeURIComponent(bundleId)}/app-transaction`, body: { name, environment,
        originalPurchaseDate: purchasedAt ?? undefined,
        originalApplicationVersion: version || undefined, originalPlatform: platform } }),
    command: ({ purchasedAt, version, platform }) => ["account", "app-transaction", [name],
      "--bundle-id", bundleId,
      ...option("--purchased", purchasedAt && commandTime(purchasedAt)),
      ...option("--app-version", version), "--platform", platform, "--environment", environment],
    errors: { appTransactionUnknown: "version" },
  };
}
