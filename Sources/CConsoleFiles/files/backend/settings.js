// Where the store's console is.

import { h } from "../dom.js";
import { heading } from "../parts/basics.js";
import { addressForm } from "../screens/settings-connect.js";

/** @returns {import("../screens/index.js").View} */
export function show() {
  return { element: h("div", null, h("h1", null, "Settings"), heading("Console of the store"),
    addressForm("store", "http://127.0.0.1:8080/console/")) };
}
