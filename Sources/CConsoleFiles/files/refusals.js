// What a refusal means and what helps: the one place that explains a code.

import { root } from "./command.js";
import { h } from "./dom.js";
import { commandBlock } from "./parts/basics.js";
import { dialog } from "./parts/dialog.js";

/**
 * @typedef {object} Explanation
 * @property {string} means
 * @property {string} [help] What to do about it.
 * @property {string} [command] The `bodega` command that shows or mends it.
 */

/** @type {Record<string, [means: string, help?: string, command?: string]>} */
const table = {
  21000: ["The request is not a POST, or its body is not JSON.",
    "Send {\"receipt-data\": BASE64} by POST."],
  21002: ["receipt-data is missing, is not base64, or holds no receipt.",
    "Send the complete receipt in plain base64.",
    "bodega receipt show FILE"],
  21003: ["The receipt is not authentic. Its signature or certificates are wrong, or another " +
    "world signed it. A world that was reset or restored is another world.",
    "Fetch the receipt again from this world, and ask this world's address.",
    "bodega receipt show FILE"],
  21004: ["The receipt has auto-renewable subscriptions, and the shared secret is missing or " +
    "wrong.", "Send one of the app's shared secrets as password.",
    "bodega secret list"],
  21005: ["The store cannot verify receipts at the moment; ask again. Perhaps a fault is set.",
    "If it stays, look at the faults and at the store's log.",
    "bodega fault show"],
  21006: ["The receipt, that of one transaction, is valid, but its subscription has ended. " +
    "Receipts of apps do not get this status. The answer still has the decoded receipt.",
    "Read the receipt in the answer, and withdraw what the subscription gave."],
  21007: ["The receipt is of the sandbox; this is production.",
    "Send it to the sandbox. A server asks production first, and the sandbox after 21007."],
  21008: ["The receipt is of production; this is the sandbox.", "Send it to production."],
  21009: ["The store's data cannot be read. Perhaps a fault is set.",
    "Ask again later. The store's log has the details.", "bodega fault show"],
  21010: ["The receipt's account was deleted, or never existed.",
    "Do not ask again: the receipt stays refused.", "bodega account list"],
  4040005: ["No subscription began with this original transaction id.",
    "Check the environment: sandbox and production have ids of their own."],
  4040010: ["The environment has no transaction with this id.",
    "Check the environment: sandbox and production have ids of their own."],
  4290000: ["Too many requests were sent to the App Store Server API.",
    "Wait until Retry-After, or turn the limits off.", "bodega server-api limits off"],
  5000001: ["The App Store Server API failed for a moment.", "Send the request again later."],
  controlTokenWrong: ["The control token is missing or wrong.",
    "Send the content of the file control-token in the store's data directory."],
  operatorTokenWrong: ["The operator token is missing or wrong.",
    "Send the content of the file operator-token in the backend's data directory."],
  tooManyGuesses: ["Too many wrong tokens or passwords were sent within a minute.",
    "Wait until Retry-After."],
  badBody: ["The body is not as described; the message says where.",
    "Compare it with the server's OpenAPI document."],
  badQuery: ["The query is not as described; the message says what is wrong with it.",
    "Compare it with the server's OpenAPI document."],
  badRequest: ["The path, the query or a header can be read in two ways.",
    "Give each name once, and percent-encode its value."],
  bodyTooLarge: ["The body is larger than the server accepts.", "Send less at once."],
  receiptInAddress: ["The address contains a receipt, and addresses are written to logs.",
    "Look a receipt up by its SHA-256."],
  notFound: ["Nothing is at this path.", "Check the method, the path and the names in it."],
  worldUnknown: ["No world has this name. It may have been deleted.", undefined,
    "bodega world list"],
  appUnknown: ["The world has no such app.", "Import its catalogue.",
    "bodega catalog import FILE --bundle-id APP"],
  accountUnknown: ["The environment has no account of that name.",
    "Check the environment, or add the account.", "bodega account add NAME"],
  productUnknown: ["The app has no such product, or the device does not know it yet.",
    "Check the product identifier and its app.", "bodega product list"],
  tokenUnknown: ["The device's token is missing, expired, or of another world.",
    "The device registers again by itself; a world that was restored or reset ends every token."],
  notSignedIn: ["Nobody is signed in on the device.",
    "Sign an account in on the payment sheet, or in production by this command.",
    "bodega device sign-in NAME --store-url URL --bundle-id APP --home FOLDER"],
  passwordWrong: ["The account name or the password is wrong.",
    "Give the account another password.", "bodega account password NAME"],
  accountLocked: ["The owner locked the account.", undefined, "bodega account unlock NAME"],
  attemptIdReused: ["The attempt id was used before, with another body or account.",
    "Make an id for each purchase, and repeat it only with the same body."],
  requestIdReused: ["The request id was used before for another change.",
    "Make an id for each change, and repeat it only with the same body."],
  declined: ["Somebody else decides about the account's purchases, and declined this one.",
    "Turn approval off if the account should buy alone.", "bodega account approval NAME off"],
  insufficientCredit: ["The customer's credit is lower than the price.", "Add credit.",
    "bodega credit add NAME AMOUNT --environment production"],
  productNotForSale: ["The product cannot be bought now: it is in review, rejected or off sale.",
    "Clear the product for sale.", "bodega product list"],
  kindNotSold: ["The subscription has no group or no period in the catalogue.",
    "Give it both in Xcode, and import the catalogue again.",
    "bodega catalog import FILE --bundle-id APP"],
  tooManyWaiting: ["Too many of the customer's purchases wait for a decision.",
    "Decide about those that wait.", "bodega ask-to-buy list"],
  receiptFull: ["The receipt has no room for another purchase.",
    "Finish the transactions of consumables: they then leave the receipt."],
  offerCodeUnknown: ["The app has no such offer code.", undefined,
    "bodega offer-code list PRODUCT"],
  invalidOfferSignature: ["The signature of the promotional offer is wrong.",
    "Sign with a key of the app, over the same product, offer, nonce and time.",
    "bodega offer-key list"],
  sessionReadsOnly: ["This console session only reads.", "Sign in without “Only read”."],
  alreadyDelivered: ["The submission was granted already.",
    "Recheck it to learn whether its purchase was refunded."],
  notDelivered: ["The submission was not granted, so it has no purchase to check.",
    "Retry it instead."],
  receiptDropped: ["The submission was refused so long ago that its receipt was deleted.",
    "Have the app send its receipt again."],
  noClearAnswer: ["The store did not say what became of the purchase. Nothing was changed.",
    "Recheck it later."],
  stillAsking: ["The store has not answered yet.", "Look at the history in a while."],
  storageFailed: ["The backend's disk is full or fails. Nothing was lost.",
    "Make room on the disk. The backend's log has the details."],
  notReady: ["The backend's database does not answer, or its disk is full.",
    "Send the request again later. The backend's log has the details."],
  failed: ["The backend failed.", "The backend's log says why."],
  badAnswer: ["The server could not build its answer.", "The server's log has the details."],
  busy: ["The server had too many requests at once.", "Send the request again later."],
  stopping: ["The server is stopping.", "Send the request again after its restart."],
  notAnswered: ["The answer was lost; the request may have been carried out.",
    "Send the same request again, with the same id."],
};

/** The codes that are explained, besides 21100 to 21199. */
export const explained = Object.keys(table);

/** The statuses of verifyReceipt with their sentences; each has the words of the store's own. */
export const receiptStatuses = Object.entries(table)
  .filter(([code]) => /^21\d{3}$/.test(code))
  .map(([code, [means]]) => /** @type {[string, string]} */ ([code, means]));

/**
 * What is known about a status of verifyReceipt or about a code of the store or the backend.
 * @param {string | number} code
 * @returns {Explanation | undefined}
 */
export function explanation(code) {
  const status = Number(code);
  if (status >= 21100 && status <= 21199) {
    return {
      means: "An internal data access error of the App Store; here, a fault is set.",
      help: "Ask again if is-retryable is true.", command: "bodega fault show",
    };
  }
  if (!Object.hasOwn(table, code)) {
    return undefined;
  }
  const [means, help, command] = table[code];
  return { means, help, command };
}

/**
 * The button that explains a code; nothing for a code that the store's sentence explains.
 * @param {import("./connection.js").World} world
 * @param {string | number} code
 * @param {string} [sentence] What the store said.
 */
export function whyButton(world, code, sentence) {
  const found = explanation(code);
  const words = found?.command?.split(" ").slice(1);
  return found === undefined ? null : h("button", {
    type: "button", onclick: () => dialog(`Why ${code}?`,
      sentence === undefined ? null : h("p", { class: "why" }, sentence),
      h("p", null, found.means), found.help === undefined ? null : h("p", null, found.help),
      words === undefined ? null
        : commandBlock(takesWorld(words) && !world.isDefault ? world : root, words)),
  }, "Why was it refused?");
}

/**
 * Commands about worlds and those of a device have no option for a world.
 * @param {string[]} words
 */
function takesWorld([word]) {
  return word !== "world" && word !== "device";
}
