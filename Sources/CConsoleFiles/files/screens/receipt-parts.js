// A receipt or a JWS in the reader's words: a verdict for each check, then what was bought.

import { h } from "../dom.js";
import { phrase, time } from "../format.js";
import { chip, codeBlock, empty, facts, heading, id } from "../parts/basics.js";
import { withPayloads } from "../parts/jws.js";
import { plainTable } from "../parts/table.js";
import { explanation, receiptStatuses } from "../refusals.js";

/** @typedef {import("../dom.js").Child} Child */
/** @typedef {{number?: number, name: string, meaning?: string, value: string}} Attribute */
/** @typedef {{isAuthentic: boolean, why?: string, status: number, environment?: string,
 *   worldId?: string, isTest?: boolean}} Verdict */
/** @typedef {{form: string, verdict: Verdict, checks: {check: string, outcome: string}[],
 *   certificates: {serial: string, sha256: string, notBefore: number, notAfter: number}[],
 *   attributes: Attribute[], purchases: Attribute[][], payload?: string}} Explained */

/** @type {Record<string, string>} */
const forms = {
  app: "App receipt", transaction: "Receipt of a transaction", signedData: "Signed data (JWS)",
};
/** @type {Record<string, string>} */
const checks = {
  form: "It can be read", certificates: "Its certificates are complete",
  root: "A root of this store is above them",
  chain: "They lead to that root and may sign this", contents: "The signed contents can be read",
  dates: "The certificates were valid when it was signed", signer: "The leaf is its signer",
  signature: "The signature matches the digest",
  seal: "It names the world and environment of its certificate",
  repetitions: "Repeated facts agree", unsigned: "Nothing outside the signature was changed",
  world: "It was signed for this world", revocation: "None of its certificates was revoked",
};
const outcomes = {
  passed: () => chip("Passed", "good"), failed: () => chip("Failed", "bad"),
  notReached: () => chip("Not reached"),
};
/** @type {Record<string, string>} */
const roots = { app: "root", transaction: "transaction-authority", signedData: "signed-data-root" };

/**
 * @param {Explained} answer @param {any} overview @param {AbortSignal} signal
 * @returns {Child[]}
 */
export function explained(answer, { world }, signal) {
  const { form, verdict, attributes, purchases, payload } = answer;
  return [
    h("h2", null, forms[form]),
    h("p", null, verdict.isAuthentic ? chip("Authentic", "good") : chip("Not authentic", "bad"),
      " ", verdict.why),
    facts([
      ["verifyReceipt", form === "signedData" ? undefined : [chip(String(verdict.status),
        verdict.status === 0 ? "good" : "warn"), ` ${explanation(verdict.status)?.means ?? ""}`]],
      ["Environment", verdict.environment && phrase(verdict.environment)],
      ["World", verdict.worldId && [id(verdict.worldId),
        verdict.worldId === world.id ? ` ${world.name}, this one` : " another one"]],
      ["Root", verdict.environment && id(
        `${roots[form]}-${verdict.isTest ? "test-" : ""}${verdict.environment}.pem`)],
    ]),
    heading("Checks"), h("ul", { class: "checks" }, answer.checks.map(({ check, outcome }) =>
      h("li", null, outcomes[/** @type {keyof typeof outcomes} */ (outcome)](),
        h("span", null, checks[check] ?? check,
          outcome === "failed" ? h("span", { class: "help" }, " ", verdict.why) : null)))),
    ...payload === undefined ? [] : signedPayload(payload),
    ...form === "app" ? purchaseTable(purchases, signal) : [],
    ...attributes.length === 0 ? [] : [heading("Attributes"), attributeList(attributes)],
    ...purchases.map((list, index) =>
      h("details", null, h("summary", null, `Purchase ${index + 1}: every attribute`),
        attributeList(list))),
    ...certificateList(answer.certificates),
    form === "signedData" ? null : statusList(),
  ];
}

/** @param {Attribute[][]} purchases @param {AbortSignal} signal */
function purchaseTable(purchases, signal) {
  const value = (/** @type {Attribute[]} */ list, /** @type {number} */ number) =>
    list.find((attribute) => attribute.number === number)?.value;
  return [heading(`Purchases (${purchases.length})`), plainTable({
    label: "Purchases", signal, rows: purchases,
    empty: () => empty("The receipt has no purchases."),
    columns: [
      { title: "Product", cell: (list) => id(value(list, 1702) ?? "–") },
      { title: "Transaction", isWide: true, cell: (list) => id(value(list, 1703) ?? "–") },
      { title: "Bought", cell: (list) => date(value(list, 1704)) },
      { title: "Period ends", isWide: true, cell: (list) => date(value(list, 1708)) },
      { title: "Cancelled", isWide: true, cell: (list) => date(value(list, 1712)) },
    ],
  })];
}

/** @param {string} text The JSON that was signed, or whatever stands in its place. */
function signedPayload(text) {
  const payload = parsed(text);
  if (typeof payload !== "object" || payload === null) {
    return [heading("Payload"), codeBlock("Payload", text)];
  }
  const { signedDate = payload.receiptCreationDate } = payload;
  return [
    facts([
      ["Signed", signedDate && time(signedDate)],
      ["App", payload.bundleId ?? payload.data?.bundleId],
      ["Product", payload.productId && id(payload.productId)],
      ["Transaction", payload.transactionId && id(payload.transactionId)],
      ["Type", payload.notificationType ?? payload.type],
    ]),
    heading("Payload"), codeBlock("Payload", JSON.stringify(withPayloads(payload), null, 2)),
  ];
}

/** @param {string} text @returns {any} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Explained["certificates"]} list The leaf first. */
function certificateList(list) {
  const names = ["Leaf", "Intermediate", "Root"];
  return list.length === 0 ? [] : [heading("Certificates"),
    facts(list.map(({ serial, sha256, notBefore, notAfter }, index) => [
      names[index] ?? `Number ${index + 1}`, [
        h("div", null, "serial ", id(serial)), h("div", null, "SHA-256 ", id(sha256)),
        h("div", null, "valid from ", time(notBefore), " until ", time(notAfter))]]))];
}

/** @param {string | undefined} text */
function date(text) {
  const milliseconds = text ? Date.parse(text) : undefined;
  return Number.isNaN(milliseconds) ? id(text ?? "") : time(milliseconds);
}

/** @param {Attribute[]} list */
function attributeList(list) {
  return facts(list.map(({ number, name, value, meaning }) => [
    number === undefined ? name : `${number} ${name}`,
    [id(value === "" ? "–" : value), meaning ? h("div", { class: "help" }, meaning) : null]]));
}

function statusList() {
  return h("details", null, h("summary", null, "What each status of verifyReceipt means"),
    facts(receiptStatuses));
}
