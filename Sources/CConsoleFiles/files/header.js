// The bar on top: the world and its clock, the connection, and how the console looks.

import { hrefOf } from "./address.js";
import { clockOf } from "./clock.js";
import { connection, World } from "./connection.js";
import { fill, h } from "./dom.js";
import { number, time } from "./format.js";
import { icon } from "./icons.js";
import { bind, showKeys } from "./keys.js";
import { chip, loaded } from "./parts/basics.js";
import { openClock } from "./parts/clock.js";
import { dialog } from "./parts/dialog.js";
import { setting, switchSetting, whenSettingChanges } from "./settings.js";

const refreshMilliseconds = 15_000;
const movingMilliseconds = 700;
const worldsMax = 100;

/** @param {World} world @param {string} first Its first screen. @param {AbortSignal} signal */
export function header(world, first, signal) {
  return h("header", { class: "top" },
    h("a", { class: "brand", href: hrefOf({ screen: first, path: [] }) },
      connection.isBackend ? "Bodega backend" : "Bodega"),
    connection.isBackend ? null : worldSwitch(world, signal), menuButton(signal),
    h("span", { class: "state" }, connection.isBackend ? null : clockButton(world, signal),
      reach(signal), reading(signal)),
    h("div", { class: "switches" },
      settingButton("theme", { system: "Theme: system", light: "Theme: light",
        dark: "Theme: dark" }, signal),
      settingButton("times", { utc: "UTC", local: "Local time" }, signal),
      settingButton("announcements",
        { on: "Announcements: on", off: "Announcements: off" }, signal),
      h("button", { type: "button", class: "plain", onclick: showKeys }, "Keys"),
      h("button", { type: "button", class: "plain",
        onclick: () => connection.signOut().catch(() => {}) }, "Sign out")));
}

/**
 * Where the page is narrow, the screens and the switches open by this button.
 * @param {AbortSignal} signal
 */
function menuButton(signal) {
  const root = document.documentElement;
  const element = h("button", { type: "button", class: "menu", "aria-expanded": "false" }, "Menu");
  /** @param {boolean} isOpen */
  const open = (isOpen) => {
    root.classList.toggle("menu-open", isOpen);
    element.setAttribute("aria-expanded", String(isOpen));
  };
  element.addEventListener("click", () => open(!root.classList.contains("menu-open")));
  window.addEventListener("hashchange", () => open(false), { signal });
  document.addEventListener("keydown", (event) => event.key === "Escape" && open(false),
    { signal });
  open(false);
  return element;
}

/** @param {World} world @param {AbortSignal} signal */
function worldSwitch(world, signal) {
  const open = () => {
    const list = h("ul", { class: "choices" });
    const search = h("input", { type: "search", "aria-label": "Search worlds",
      placeholder: "Search worlds", autocomplete: "off", spellcheck: "false" });
    const box = dialog("Worlds", h("form", { onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      list.querySelector("a")?.click();
    } }, search), loaded(signal,
      () => connection.request("GET", "/control/v1/worlds"), ({ worlds }) => {
        const draw = () => {
          const found = worlds.filter((/** @type {{name: string}} */ { name }) =>
            name.toLowerCase().includes(search.value.toLowerCase()));
          fill(list, found.slice(0, worldsMax).map((/** @type {{name: string}} */ { name }) =>
            h("li", null, h("a", { href: hrefOf({ world: name, path: [] }),
              "aria-current": name === world.name ? "true" : null,
              onclick: () => box.close() }, name))),
          found.length > worldsMax
            ? h("li", { class: "quiet" }, `and ${number(found.length - worldsMax)} more`) : null);
        };
        search.addEventListener("input", draw);
        draw();
        return list;
      }).element);
    search.focus();
  };
  bind("w", "Choose another world", open, signal);
  return h("button", { type: "button", class: "world", onclick: open,
    "aria-label": `World ${world.name}; choose another`, "aria-haspopup": "dialog" },
  h("span", null, world.name), icon("open"));
}

/** @param {World} world @param {AbortSignal} signal */
function clockButton(world, signal) {
  const clock = clockOf(world);
  const element = h("button", { type: "button", class: "clock plain",
    title: "The world's clock", onclick: () => openClock(world) });
  const draw = () => clock.now !== null && fill(element, h("span", { class: "unseen" }, "Clock: "),
    time(clock.now), clock.isMoving ? chip("moving", "warn") : clock.isHeld
      ? chip("held", "warn") : null);
  let next = 0;
  const askLater = () => {
    clearTimeout(next);
    if (!signal.aborted) {
      next = setTimeout(load, clock.isMoving ? movingMilliseconds : refreshMilliseconds);
    }
  };
  // The last known time stays when the store is away; the connection's state says why.
  const load = () => (document.hidden ? Promise.resolve() : clock.load())
    .catch(() => {}).finally(askLater);
  clock.addEventListener("change", () => {
    draw();
    askLater();
  }, { signal });
  const timer = setInterval(draw, 1000);
  signal.addEventListener("abort", () => {
    clearInterval(timer);
    clearTimeout(next);
  });
  fill(element, "Clock");
  draw();
  void load();
  return element;
}

/** @param {AbortSignal} signal */
function reach(signal) {
  const element = h("span", { class: "reach", role: "status" });
  const draw = () => fill(element, connection.isAway
    ? chip(`${connection.isBackend ? "Backend" : "Store"} is away, trying again`, "bad")
    : chip("Connected", "good"));
  connection.addEventListener("reach", draw, { signal });
  draw();
  return element;
}

/** @param {AbortSignal} signal */
function reading(signal) {
  const element = h("span", { role: "status" });
  const draw = () => fill(element, connection.isReadOnly ? chip("Only reads", "warn") : null);
  connection.addEventListener("readsOnly", draw, { signal });
  draw();
  return element;
}

/**
 * @param {import("./settings.js").Name} name
 * @param {Record<string, string>} titles
 * @param {AbortSignal} signal
 */
function settingButton(name, titles, signal) {
  const element = h("button", { type: "button", class: "plain",
    onclick: () => switchSetting(name) });
  const draw = () => fill(element, titles[setting(name)]);
  whenSettingChanges(name, draw, signal);
  draw();
  return element;
}
