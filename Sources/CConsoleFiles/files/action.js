// An action: a dialog that asks, shows its command and curl, and reports the store's answer.

import { connection, StoreError } from "./connection.js";
import { bodegaCommand, curlCommand, hiddenSecret } from "./command.js";
import { fill, h, noName, uniqueID, visible } from "./dom.js";
import { fieldTime, zone } from "./format.js";
import { notify } from "./notices.js";
import { codeBlock, failure, sentenceOf, write } from "./parts/basics.js";
import { dialog } from "./parts/dialog.js";
import { whyButton } from "./refusals.js";

const readsOnly = "This session only reads";
const firstField = ".field:not([hidden]) :is(input, select, textarea)";

/** @typedef {import("./connection.js").World} World */
/** @typedef {import("./command.js").Words} Words */
/** @typedef {Record<string, any>} Values A checkbox is a boolean, an absent number or time null;
 *   a time is in milliseconds, a file a `File`, a folder its files. */

/**
 * @typedef {"text" | "number" | "password" | "choice" | "switch" | "long" | "time" | "file" |
 *   "folder"} FieldType
 */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {string} label
 * @property {FieldType} [type] Text if absent.
 * @property {[string, string][] | ((values: Values) => Promise<[string, string][]>)} [choices]
 *   Values and their titles; they may come from the store.
 * @property {string} [follows] The field whose value the choices depend on.
 * @property {string | boolean} [value]
 * @property {string} [help]
 * @property {boolean} [isOptional]
 * @property {boolean} [isWhole] A number without a fraction.
 * @property {(values: Values) => boolean} [when] Asked only then, as of a choice before it.
 * @property {() => Promise<[string, string][]>} [suggest] Texts to choose from, and what they are.
 */

/**
 * @typedef {object} Action
 * @property {string} title
 * @property {string} [label] What its button says where the title is too long.
 * @property {string} [text] What it does, in a sentence or two.
 * @property {Field[]} [fields]
 * @property {string | ((values: Values) => string | undefined)} [confirm] A name to type first. An
 *   action asks for it when it takes something away from somebody that no other action gives back
 *   as it was. A granted refund asks, because a subscription does not renew again even when the refund
 *   is reversed. An answer that declines does not: nobody had yet what was asked for.
 * @property {(values: Values, requestId: string) => import("./command.js").StoreRequest} [request]
 * @property {(values: Values, world: World) => Promise<any>} [run] Sends what takes several
 *   requests, in place of `request`.
 * @property {(values: Values) => Words | Words[]} command The words after `bodega`; a list of
 *   them where it takes several commands.
 * @property {(answer: any) => string} [done] The sentence after it is done.
 * @property {(answer: any) => import("./dom.js").Child[]} [shows] What is shown after it is done,
 *   such as a secret that the store does not show again.
 * @property {(answer: any) => {code: string, message: string} | undefined} [refusal]
 *   A refusal that the store answers with 200, as that of a purchase.
 * @property {Record<string, string>} [errors] The field that an error code is about. A `badField`
 *   names it itself, perhaps by another name, which is here too.
 */

/**
 * The button of an action; it is disabled in a session that only reads.
 * @param {World} world
 * @param {Action} action
 * @param {(answer: any) => void} [onDone]
 */
export function actionButton(world, action, onDone) {
  const isOff = connection.isReadOnly;
  return h("button", {
    type: "button", class: typeof action.confirm === "string" ? "danger" : null, disabled: isOff,
    title: isOff ? readsOnly : null, "data-changes": true,
    "aria-label": action.label === undefined ? null : action.title,
    onclick: () => openAction(world, action, onDone),
  }, `${action.label ?? action.title}…`);
}

connection.addEventListener("readsOnly", () => {
  notify(`${readsOnly}: nothing can be changed`, "bad");
  document.querySelectorAll("button[data-changes]").forEach((button) => {
    button.setAttribute("disabled", "");
    button.setAttribute("title", readsOnly);
  });
});

/**
 * The buttons of several actions.
 * @param {World} world
 * @param {Action[]} actions
 * @param {(answer: any) => void} [onDone]
 */
export function actionButtons(world, actions, onDone) {
  return h("div", { class: "buttons" },
    actions.map((action) => actionButton(world, action, onDone)));
}

/** @param {World} world @param {Action} action @param {(answer: any) => void} [onDone] */
function openAction(world, action, onDone) {
  const fields = (action.fields ?? []).map(makeField);
  const check = makeField({ name: "", label: "", when: (values) => nameOf(values) !== undefined });
  const command = codeBlock("bodega command", "");
  const curl = action.request === undefined ? null : codeBlock("curl", "");
  const failed = h("div");
  const button = h("button", { type: "submit" }, action.title);
  let requestId = madeUUID();
  let isPending = false;

  /** @param {Values} values The name to type, as the page shows it. */
  const nameOf = (values) => {
    const { confirm } = action;
    const name = typeof confirm === "function" ? confirm(values) : confirm;
    return name ? visible(name) : undefined;
  };
  /** @param {boolean} hidesSecrets @returns {Values} */
  const values = (hidesSecrets) =>
    Object.fromEntries(fields.map((field) => [field.name, field.value(hidesSecrets)]));
  const preview = () => {
    const shown = values(true);
    fields.forEach((field) => field.show(shown, preview));
    write(command, lines(action.command(shown)).map((words) => bodegaCommand(world, words))
      .join("\n") || "# Nothing is changed");
    if (curl !== null && action.request !== undefined) {
      write(curl, curlCommand(world, action.request(shown, requestId)));
    }
    check.show(shown, preview);
    const name = nameOf(shown);
    check.rename(`Type “${name}” to confirm`);
    button.className = name === undefined ? "primary" : "danger";
    button.disabled = isPending || connection.isReadOnly ||
      name !== undefined && check.value(false) !== name;
  };
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (isPending) {
      return;
    }
    isPending = true;
    button.disabled = true;
    fields.forEach((field) => field.complain(null));
    fill(failed);
    try {
      const answer = await send(world, action, values(false), requestId);
      const refused = action.refusal?.(answer);
      if (refused !== undefined) {
        throw new StoreError(200, refused.code, refused.message);
      }
      box.close();
      notify(action.done?.(answer) ?? `${action.title}: done`);
      onDone?.(answer);
      if (action.shows !== undefined) {
        dialog(action.title, action.shows(answer));
      }
    } catch (error) {
      const name = fieldNamed(error, action);
      const field = fields.find((field) => field.name === name);
      if (!box.open) {
        notify(`${action.title}: ${sentenceOf(error)}`, "bad");
      } else if (field === undefined) {
        fill(failed, failure(error),
          error instanceof StoreError ? whyButton(world, error.code) : null);
      } else {
        field.complain(error);
      }
      // What was refused was not done. Anything else may have been: its id is asked with again.
      if (error instanceof StoreError && error.isRefusal) {
        requestId = madeUUID();
      }
    } finally {
      isPending = false;
      preview();
    }
  };
  const box = dialog(action.title, h("form", { onsubmit: submit, oninput: preview },
    action.text === undefined ? null : h("p", null, action.text),
    action.fields?.some(({ type }) => type === "password") ? noName() : null,
    fields.map((field) => field.element), check.element, failed,
    h("details", { open: true }, h("summary", null, "As a command"), command, curl),
    h("footer", null, button)));
  preview();
  /** @type {HTMLElement} */ (box.querySelector(firstField) ?? button).focus();
}

/**
 * @param {World} world @param {Action} action @param {Values} values @param {string} requestId
 * @returns {Promise<any>}
 */
function send(world, { title, request, run }, values, requestId) {
  if (run !== undefined) {
    return run(values, world);
  } else if (request === undefined) {
    throw new Error(`${title} sends nothing`);
  }
  const { method, path, query, body } = request(values, requestId);
  return world.request(method, path, { query, body });
}

/** @param {Words | Words[]} words @returns {Words[]} */
function lines(words) {
  return /** @type {Words[]} */ (words.length === 0 || Array.isArray(words[0]) ? words : [words]);
}

/**
 * The field that a refusal is about: as its sentence begins with the name, or by its code.
 * @param {unknown} error
 * @param {Action} action
 */
function fieldNamed(error, { errors = {}, fields = [] }) {
  if (!(error instanceof StoreError)) {
    return undefined;
  }
  // "fields.status must be…" and "requests: status must be…" are about the status.
  const [start = ""] = error.code !== "badField" ? []
    : /^[\w.]+(?:: \w+)?/.exec(error.message) ?? [];
  return [...start.split(/\W+/).reverse(), error.code].flatMap((name) => [name, errors[name]])
    .find((name) => fields.some((field) => field.name === name));
}

/** A UUID also where the page comes by plain HTTP, in which `randomUUID` is missing. */
function madeUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = bytes[6] & 0x0f | 0x40;
  bytes[8] = bytes[8] & 0x3f | 0x80;
  return [...bytes].map((byte, index) => ([4, 6, 8, 10].includes(index) ? "-" : "") +
    byte.toString(16).padStart(2, "0")).join("").toUpperCase();
}

/** @type {Record<string, string>} */
const inputTypes = { switch: "checkbox", time: "datetime-local", folder: "file" };
/** @type {Record<string, string | number>} */
const steps = { number: "any", time: 1 };

/** @param {Field} field */
function makeField(field) {
  const { name, label, type = "text", value, help, isOptional } = field;
  const id = uniqueID("field");
  const about = uniqueID("about");
  const offersNone = Array.isArray(field.choices) && field.choices.some(([value]) => value === "");
  const list = field.suggest === undefined ? null : suggestions(field.suggest);
  const attributes = {
    id, "aria-describedby": about, required: type !== "switch" && !isOptional && !offersNone,
    autocomplete: type === "password" ? "new-password" : "off", spellcheck: "false",
    list: list?.id,
  };
  const input = type === "choice"
    ? h("select", attributes)
    : type === "long" ? h("textarea", { ...attributes, rows: 3 })
    : h("input", {
      ...attributes, checked: type === "switch" && value === true,
      type: inputTypes[type] ?? type, webkitdirectory: type === "folder",
      step: field.isWhole ? 1 : steps[type],
    });
  const hint = help ?? null;
  const note = h("div", { id: about, class: "help" }, hint);
  const title = h("label", { for: id }, type === "time" ? `${label}, ${zone()}` : label,
    isOptional && type !== "choice" ? " (optional)" : null);
  const element = h("div", { class: type === "switch" ? "field switch" : "field" },
    title, input, list, note);
  const choose = choices(field, input, (error) =>
    fill(note, error === undefined ? hint : failure(error)));
  if (typeof value === "string") {
    input.value = value;
  }
  return {
    name,
    element,
    /** @param {string} text */
    rename: (text) => fill(title, text),
    /** @param {Values} values @param {() => void} changed */
    show: (values, changed) => {
      input.disabled = element.hidden = !(field.when?.(values) ?? true);
      void choose(values, changed);
    },
    /** @param {boolean} hidesSecrets @returns {any} */
    value: (hidesSecrets) => {
      if (type === "switch") {
        return /** @type {HTMLInputElement} */ (input).checked;
      } else if (type === "password" && hidesSecrets) {
        return input.value === "" ? "" : hiddenSecret;
      } else if (type === "number") {
        return input.value === "" ? null : Number(input.value);
      } else if (type === "time") {
        return fieldTime(input.value);
      } else if (type === "file") {
        return /** @type {HTMLInputElement} */ (input).files?.[0] ?? new File([], "FILE");
      } else if (type === "folder") {
        return [.../** @type {HTMLInputElement} */ (input).files ?? []];
      }
      return input.value;
    },
    /** @param {unknown} error */
    complain: (error) => {
      input.setAttribute("aria-invalid", String(error !== null));
      fill(note, error === null ? hint : failure(error));
      if (error !== null) {
        input.focus();
      }
    },
  };
}

/**
 * Fills a field with its choices, and again when the field that they follow has another value.
 * @param {Field} field
 * @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} input
 * @param {(error?: unknown) => void} report
 */
function choices({ choices, follows, value }, input, report) {
  /** @type {string | null} */
  let loadedFor = null;
  /** @param {[string, string][]} list */
  const offer = (list) => {
    const wanted = [input.value, value].find((text) => list.some(([one]) => one === text));
    fill(input, list.map(([value, title]) => h("option", { value }, title)));
    input.value = String(wanted ?? list[0]?.[0] ?? "");
  };
  if (Array.isArray(choices)) {
    offer(choices);
  }
  /** @param {Values} values @param {() => void} changed */
  return async (values, changed) => {
    const turn = String(follows === undefined ? "" : values[follows]);
    if (typeof choices !== "function" || turn === loadedFor) {
      return;
    }
    loadedFor = turn;
    try {
      const list = await choices(values);
      if (turn === loadedFor) {
        offer(list);
        report();
        changed();
      }
    } catch (error) {
      report(error);
    }
  };
}

/** @param {NonNullable<Field["suggest"]>} suggest */
function suggestions(suggest) {
  const element = h("datalist", { id: uniqueID("list") });
  // Without suggestions the field is typed, as it may be anyway.
  suggest().then((list) => fill(element, list.map(([value, title]) =>
    h("option", { value, label: title })))).catch(() => {});
  return element;
}
