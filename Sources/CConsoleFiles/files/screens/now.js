// What happens now: requests as they come, and the world's history.

import { fill, h } from "../dom.js";
import { keepingPlace, tabs } from "../parts/basics.js";
import { history } from "./history.js";
import { requests } from "./requests.js";

/** @typedef {import("./index.js").Context} Context */
/** @typedef {import("../address.js").Place} Place */
/** @typedef {import("./index.js").View} View */

/** @param {Context} context @returns {View} */
export function show({ world, place, signal }) {
  const list = [{ title: "Requests", path: ["requests"] }, { title: "History", path: ["history"] }];
  const bar = h("div");
  const content = h("div");
  /** @type {{tab: string, stop: AbortController, view: {element: HTMLElement,
   *   update: (place: Place) => void}} | null} */
  let open = null;
  /** @param {Place} here */
  const update = (here) => {
    const tab = here.path[0] === "history" ? "history" : "requests";
    keepingPlace(bar, () => fill(bar, tabs("Now", list, tab)));
    if (open?.tab === tab) {
      open.view.update(here);
      return;
    }
    open?.stop.abort();
    const stop = new AbortController();
    const context = { world, place: here, signal: stop.signal };
    const view = tab === "history" ? history(context) : requests(context);
    open = { tab, stop, view };
    fill(content, view.element);
  };
  signal.addEventListener("abort", () => open?.stop.abort());
  update(place);
  return { element: h("div", null, h("h1", null, "Now"), bar, content), update };
}
