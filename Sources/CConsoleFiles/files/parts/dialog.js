// A dialog over the page, which gives the focus back when it closes.

import { h, uniqueID } from "../dom.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * Opens a dialog; Escape, Close and another address end it.
 * @param {string} title
 * @param {...(Child | Child[])} content
 */
export function dialog(title, ...content) {
  const id = uniqueID("dialog");
  /** @type {HTMLDialogElement} */
  const element = h("dialog", { class: "dialog", "aria-labelledby": id },
    h("header", null, h("h2", { id }, title),
      h("button", { type: "button", class: "plain", onclick: () => element.close() }, "Close")),
    ...content);
  const focused = document.activeElement;
  const close = () => element.close();
  window.addEventListener("hashchange", close);
  element.addEventListener("close", () => {
    window.removeEventListener("hashchange", close);
    element.remove();
    if (focused instanceof HTMLElement) {
      focused.focus();
    }
  });
  document.body.append(element);
  element.showModal();
  return element;
}
