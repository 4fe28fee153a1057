// Receipts and signed data: what is in them, and whether this world vouches for them.

import { place, setFilters } from "../address.js";
import { at } from "../connection.js";
import { fill, h, uniqueID } from "../dom.js";
import { failure, loaded } from "../parts/basics.js";
import { explained } from "./receipt-parts.js";

/** @typedef {import("./index.js").Context} Context */

const fileBytesMax = 4_000_000;

/** @param {Context} context @returns {import("./index.js").View} */
export function show({ world, place: here, signal }) {
  const field = h("textarea", { id: uniqueID("receipt"), rows: 5, spellcheck: "false",
    autocomplete: "off", placeholder: "MII… or eyJ…" });
  const failed = h("div");
  const result = h("div", { class: "result" });
  /** @param {string} text */
  const inspect = (text) => {
    const bytes = text.trimStart();
    const plain = bytes.startsWith("{") ? base64(new TextEncoder().encode(bytes))
      : text.replace(/\s/g, "");
    field.value = text;
    fill(failed);
    if (plain === "") {
      fill(result);
      return;
    }
    fill(result, loaded(signal, async (signal) => explained(
      await world.request("POST", "receipts/explain", { body: { receipt: plain }, signal }),
      await world.get("overview", {}, signal), signal), (children) => children).element);
  };
  /** @param {Blob | null | undefined} file */
  const take = async (file) => {
    if (file === null || file === undefined) {
      return;
    }
    if (file.size > fileBytesMax) {
      fill(failed, failure("The file is larger than any receipt."));
      return;
    }
    const data = new Uint8Array(await file.arrayBuffer());
    const first = data.find((byte) => ![0x09, 0x0a, 0x0d, 0x20].includes(byte));
    inspect(data[0] === 0x30 || first === 0x7b ? base64(data) : new TextDecoder().decode(data));
  };
  /** @type {HTMLInputElement} */
  const picker = h("input", { type: "file", id: uniqueID("file"),
    onchange: () => void take(picker.files?.[0]) });
  const element = h("div", {
    ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
    ondrop: (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      const text = event.dataTransfer?.getData("text/plain");
      void (text ? inspect(text) : take(event.dataTransfer?.files[0]));
    },
  }, h("h1", null, "Receipts"),
  h("form", { onsubmit: (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    inspect(field.value);
  } },
  h("div", { class: "field" },
    h("label", { for: field.id }, "App receipt, transaction receipt or JWS"), field,
    h("div", { class: "help" },
      "Paste it, drop it here, or choose a file. It can be base64 or the bytes themselves.")),
  h("div", { class: "filters" },
    h("button", { type: "submit", class: "primary" }, "Inspect"),
    h("label", { for: picker.id }, "File", picker))),
  ofCustomer(world, signal, here.filters), failed, result);
  const { account, environment, app } = here.filters;
  const load = async () => {
    try {
      if (account !== undefined && app !== undefined) {
        await take(await world.request("GET", at`apps/${app}/receipt`,
          { query: { account, environment }, isFile: true, signal }));
      }
    } catch (error) {
      fill(failed, signal.aborted ? null : failure(error));
    }
  };
  void load();
  return { element };
}

/**
 * The choice of a customer's present receipt; it stands in the address.
 * @param {import("../connection.js").World} world @param {AbortSignal} signal
 * @param {Record<string, string>} filters
 */
function ofCustomer(world, signal, { account = "", environment = "sandbox", app }) {
  return loaded(signal, (signal) => world.get("apps", {}, signal), ({ apps }) => {
    const name = h("input", { id: uniqueID("account"), value: account, autocomplete: "off",
      required: true, spellcheck: "false" });
    const where = choice(["sandbox", "production"], environment);
    const which = choice(apps.map((/** @type {any} */ { bundleId }) => bundleId), app);
    const submit = (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      setFilters({ account: name.value, environment: where.value, app: which.value });
      if (place().filters.account === account && which.value === app) {
        window.dispatchEvent(new Event("hashchange"));
      }
    };
    return apps.length === 0 ? null : h("form", { class: "filters", onsubmit: submit },
      h("label", { for: name.id }, "Or of customer", name),
      h("label", { for: where.id }, "in", where), h("label", { for: which.id }, "app", which),
      h("button", { type: "submit" }, "Load its receipt"));
  }).element;
}

/** @param {string[]} names @param {string | undefined} value */
function choice(names, value) {
  const field = h("select", { id: uniqueID("choice") },
    names.map((name) => h("option", { value: name }, name)));
  field.value = value ?? names[0];
  return field;
}

/** @param {Uint8Array} data */
function base64(data) {
  let text = "";
  for (let index = 0; index < data.length; index += 8192) {
    text += String.fromCharCode(...data.subarray(index, index + 8192));
  }
  return btoa(text);
}
