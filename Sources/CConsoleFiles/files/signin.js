// Getting in: by the control token, or by the code of `bodega console`.

import { connection } from "./connection.js";
import { fill, h, noName, uniqueID } from "./dom.js";
import { codeBlock, failure, write } from "./parts/basics.js";

/** @param {() => void} entered @param {unknown} [reason] Why the code was refused. */
export function signInScreen(entered, reason) {
  const id = uniqueID("token");
  const field = h("input", {
    id, type: "password", required: true, autocomplete: "current-password", spellcheck: "false",
  });
  const reads = h("input", { type: "checkbox", id: uniqueID("reads") });
  const failed = h("div", null, reason === undefined ? null : failure(reason));
  const button = h("button", { type: "submit", class: "primary" }, "Sign in");
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    button.disabled = true;
    fill(failed);
    try {
      await connection.signIn({ token: field.value.trim(), isReadOnly: reads.checked });
      entered();
    } catch (error) {
      fill(failed, failure(error));
      field.select();
    } finally {
      button.disabled = false;
    }
  };
  const command = codeBlock("Command", "bodega console");
  const label = h("label", { for: id }, "Or enter the control token");
  const help = h("div", { class: "help" },
    "The file control-token of the store's data directory has it.");
  connection.server().then((server) => {
    if (server === "backend") {
      write(command, "bodega backend console");
      fill(label, "Or enter the operator token");
      fill(help, "The file operator-token of the backend's data directory has it.");
    }
  }).catch(() => {});
  return h("main", { class: "signin" },
    h("h1", null, "Bodega console"),
    h("p", null, "Run this command to open the console signed in:"),
    command,
    h("form", { onsubmit: submit }, noName(),
      h("div", { class: "field" }, label, field, help),
      h("div", { class: "field switch" },
        h("label", { for: reads.id }, "Only read: nothing can be changed"), reads),
      failed, button));
}
