// What can be done for a product: its review, prices, offer codes and content.

import { at } from "../connection.js";
import { h } from "../dom.js";
import { codeBlock } from "../parts/basics.js";
import { commandTime, phrase } from "../format.js";
import { folderOf, upload } from "../parts/uploads.js";
import { storefronts } from "../storefronts.js";

/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("./shop-app.js").Product} Product */
/** @typedef {{bundleId: string, productId: string}} Of */

/** @type {import("../action.js").Field} */
const note = { name: "note", label: "Note", isOptional: true };

/** @param {string} bundleId @param {Product} product @returns {Action[]} */
export function ofProduct(bundleId, { productId, price, category, state }) {
  const path = at`apps/${bundleId}/products/${productId}`;
  const last = ["--bundle-id", bundleId];
  /** @type {(title: string, verb: string, state: string, text: string) => Action} */
  const review = (title, verb, state, text) => ({
    title, text, fields: [note],
    request: ({ note }) => ({ method: "PUT", path: `${path}/state`,
      body: { state, note: note || undefined } }),
    command: ({ note }) =>
      ["product", verb, [productId], ...(note ? ["--note", note] : []), ...last],
    done: ({ state }) => `${productId}: ${phrase(state)}`,
  });
  /** @type {Record<string, Action>} */
  const reviews = {
    clearedForSale: review("Approve", "approve", "clearedForSale", "Clears it for sale."),
    rejected: {
      ...review("Reject", "reject", "rejected", "Rejects it for a reason of the policy."),
      fields: [{ name: "reason", label: "Reason", type: "choice", choices: [
        ["digitalGoodsOnly", "Digital goods only"],
        ["noIntermediaryCurrency", "No intermediary currency"], ["other", "Other, with a note"],
      ] }, note],
      request: ({ reason, note }) => ({ method: "PUT", path: `${path}/state`,
        body: { state: "rejected", reason, note: note || undefined } }),
      command: ({ reason, note }) => ["product", "reject", [productId], "--reason", reason,
        ...(note ? ["--note", note] : []), ...last],
      errors: { noteMissing: "note", badField: "note", reasonMissing: "reason" },
    },
    pendingApproval: review("Hold for review", "hold", "pendingApproval", "Hides it from apps."),
    removedFromSale: review("Take off sale", "remove", "removedFromSale", "Sold items stay."),
  };
  return [
    ...Object.entries(reviews).filter(([to]) => to !== state).map(([, action]) => action),
    {
      title: "Set price",
      text: "At once: the base price, or the own price of one storefront.",
      fields: [
        { name: "storefront", label: "Storefront", type: "choice", choices: [
          ["base", "All without a price of their own"],
          ...storefronts.map((name) => /** @type {[string, string]} */ ([name, name]))] },
        { name: "price", label: "Price", value: price,
          help: "“none” removes a storefront's own price" },
      ],
      request: ({ storefront, price }) => ({ method: "PUT",
        path: storefront === "base" ? `${path}/price` : `${path}${at`/prices/${storefront}`}`,
        body: { price: priceOrNull(price) } }),
      command: ({ storefront, price }) => ["product", "price", [productId, price],
        ...(storefront === "base" ? [] : ["--storefront", storefront]), ...last],
      errors: { badPrice: "price", badBody: "price" },
    },
    {
      title: "Schedule a price",
      text: "A storefront's own price begins, or ends, at a date of the world's clock.",
      fields: [
        { name: "storefront", label: "Storefront", type: "choice",
          choices: storefronts.map((name) => [name, name]), value: "USA" },
        { name: "price", label: "Price", value: price,
          help: "“none” returns to the base price" },
        { name: "from", label: "From", type: "time" },
      ],
      request: ({ storefront, price, from }) => ({ method: "POST", path: `${path}/price-schedule`,
        body: { storefront, price: priceOrNull(price), from } }),
      command: ({ storefront, price, from }) => ["product", "price", [productId, price],
        "--storefront", storefront, "--from", from === null ? "TIME" : commandTime(from), ...last],
      errors: { badPrice: "price", dateTaken: "from", dateIsOver: "from",
        dateOutOfRange: "from" },
    },
    {
      title: "Set category",
      fields: [{ name: "category", label: "Category", type: "choice", value: category ?? "none",
        choices: ["none", "content", "functionality", "service", "subscription"].map((name) =>
          [name, phrase(name)]) }],
      request: ({ category }) => ({ method: "PUT", path: `${path}/category`,
        body: { category: category === "none" ? null : category } }),
      command: ({ category }) => ["product", "category", [productId, category], ...last],
    },
  ];
}

/** @param {string} price */
function priceOrNull(price) {
  return price.trim() === "none" ? null : price.trim();
}

/** @param {Of} of @param {number} number @returns {Action} */
export function cancelPrice({ bundleId, productId }, number) {
  return {
    title: `Cancel price ${number}`, label: "Cancel", confirm: String(number),
    text: "The price does not begin.",
    request: () => ({ method: "DELETE",
      path: at`apps/${bundleId}/products/${productId}/price-schedule/${number}` }),
    command: () => ["product", "cancel-price", [productId, String(number)],
      "--bundle-id", bundleId],
  };
}

/** @param {Of} of @param {string[]} offers The reference names of offers for codes.
 * @returns {Action[]} */
export function makeOfferCodes({ bundleId, productId }, offers) {
  const path = at`apps/${bundleId}/products/${productId}/offer-codes`;
  /** @type {import("../action.js").Field[]} */
  const common = [
    { name: "offerId", label: "Offer", type: "choice",
      choices: offers.map((name) => [name, name]) },
    { name: "until", label: "Expires", type: "time", isOptional: true },
  ];
  /** @param {import("../action.js").Values} values @param {string[]} words */
  const command = ({ offerId, until }, words) => ["offer-code", "make", [productId, offerId],
    ...words, ...(until === null ? [] : ["--until", commandTime(until)]), "--bundle-id", bundleId];
  /** @type {Record<string, string>} */
  const errors = { dateIsOver: "until", dateOutOfRange: "until", offerUnknown: "offerId" };
  return [
    {
      title: "Make a custom code",
      text: "A word of your own that many customers redeem, each once.",
      fields: [
        { name: "word", label: "Code", help: "Up to 64 letters and digits" },
        { name: "redemptionsMax", label: "Redemptions at most", type: "number", value: "5000" },
        ...common,
      ],
      request: ({ until, ...body }) => ({ method: "POST", path,
        body: { ...body, expiresAt: until ?? undefined } }),
      command: (values) => command(values,
        ["--word", values.word, "--redemptions", String(values.redemptionsMax)]),
      errors: { ...errors, offerCodeTaken: "word" },
      done: ({ offerCode }) => `Made code ${offerCode.word}`,
    },
    {
      title: "Make one-time codes",
      text: "The store shows the codes once: it keeps only their digests.",
      fields: [{ name: "count", label: "How many", type: "number", value: "10" }, ...common],
      request: ({ until, ...body }) => ({ method: "POST", path,
        body: { ...body, expiresAt: until ?? undefined } }),
      command: (values) => command(values, ["--count", String(values.count)]),
      errors: { ...errors, badField: "count", badBody: "count" },
      done: ({ codes }) => `Made ${codes.length} codes`,
      shows: ({ codes }) => [
        h("p", null, "Copy them now: the store does not show them again."),
        codeBlock("One-time codes", codes.join("\n"))],
    },
  ];
}

/** @param {Of} of @param {{number: number, word?: string}} code @returns {Action} */
export function deactivateOfferCode({ bundleId, productId }, { number, word }) {
  return {
    title: `Deactivate ${word ?? `batch ${number}`}`, label: "Deactivate",
    confirm: word ?? String(number),
    text: "Nobody can redeem it from then on. Redeemed codes are not affected.",
    request: () => ({ method: "DELETE",
      path: at`apps/${bundleId}/products/${productId}/offer-codes/${number}` }),
    command: () => ["offer-code", "deactivate", [productId, String(number)],
      "--bundle-id", bundleId],
  };
}

/** @type {import("../action.js").Field} */
const folder = { name: "files", label: "Folder", type: "folder",
  help: "Data only: no executables, libraries or scripts" };

/** @param {Of} of @returns {Action} */
export function addContent({ bundleId, productId }) {
  const path = at`apps/${bundleId}/products/${productId}/content-uploads`;
  return {
    title: "Add content",
    text: "Makes the files of a folder a new version. Only what the store does not have is sent.",
    fields: [folder, { name: "contentVersion", label: "Version", value: "1.0" }],
    run: ({ files, contentVersion }, world) => upload(world, path, { contentVersion }, files),
    command: ({ files, contentVersion }) => ["content", "upload", [productId, folderOf(files)],
      "--content-version", contentVersion, "--bundle-id", bundleId],
    errors: { badContent: "files", contentVersionExists: "contentVersion" },
  };
}

/** @param {string} bundleId @returns {Action} */
export function addResources(bundleId) {
  /** @param {import("../action.js").Values} values */
  const path = ({ appVersion, tag }) => at`apps/${bundleId}/resources/${appVersion}/${tag}/uploads`;
  return {
    title: "Add resources",
    text: "Makes the files of a folder the resources of a tag in a version of the app.",
    fields: [
      folder, { name: "tag", label: "Tag" },
      { name: "appVersion", label: "App version", value: "1.0" },
      { name: "kind", label: "Devices get it", type: "choice", choices: [
        ["onDemand", "When the app asks"], ["prefetch", "After the app"],
        ["initial", "With the app"]] },
    ],
    run: ({ files, kind, ...values }, world) => upload(world, path(values), { kind }, files),
    command: ({ files, tag, appVersion, kind }) => ["resource", "add", [tag, folderOf(files)],
      "--app-version", appVersion, kind !== "onDemand" && `--${kind}`, "--bundle-id", bundleId],
    errors: { badContent: "files" },
  };
}

/** @param {string} bundleId @param {string} productId @param {string} [version] All if absent.
 * @returns {Action} */
export function removeContent(bundleId, productId, version) {
  return {
    title: version === undefined ? "Remove all content" : `Remove content ${version}`,
    label: version === undefined ? undefined : "Remove", confirm: version ?? productId,
    text: "Devices that download it now have a day to finish.",
    request: () => ({ method: "DELETE", path: version === undefined
      ? at`apps/${bundleId}/products/${productId}/content`
      : at`apps/${bundleId}/products/${productId}/content/${version}` }),
    command: () => ["content", "remove", [productId],
      ...(version === undefined ? [] : ["--content-version", version]), "--bundle-id", bundleId],
  };
}

/** @param {string} bundleId @param {string} appVersion @param {string} tag @returns {Action} */
export function removeResources(bundleId, appVersion, tag) {
  return {
    title: `Remove ${tag} of ${appVersion}`, label: "Remove", confirm: tag,
    text: "Devices that have it keep it until they need the space.",
    request: () => ({ method: "DELETE",
      path: at`apps/${bundleId}/resources/${appVersion}/${tag}` }),
    command: () => ["resource", "remove", [tag], "--app-version", appVersion,
      "--bundle-id", bundleId],
  };
}
