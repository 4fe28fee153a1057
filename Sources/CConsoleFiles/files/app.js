// The console: signing in, the frame around the screens, and the way between them.

import { goTo, hrefOf, place } from "./address.js";
import { connection, StoreError, worldNamed } from "./connection.js";
import { fill, h } from "./dom.js";
import { header } from "./header.js";
import { bind, listenToKeys } from "./keys.js";
import { navigation } from "./navigation.js";
import { announce, noticeElements, notify } from "./notices.js";
import { failure, keepingPlace, sentenceOf } from "./parts/basics.js";
import { screens as backendScreens } from "./backend/index.js";
import { screens as storeScreens } from "./screens/index.js";
import { signInScreen } from "./signin.js";
import { setting, whenSettingChanges } from "./settings.js";

/** @typedef {import("./screens/index.js").View} View */

const root = h("div", { class: "root" });
/** @type {{world: string, stop: AbortController, main: HTMLElement,
 *   nav: ReturnType<typeof navigation>} | null} */
let frame = null;
/** @type {{screen: string, stop: AbortController, view: View | null} | null} */
let shown = null;
/** Whether a screen was shown since the reader signed in. */
let hasPresented = false;

async function start() {
  const code = takenCode();
  document.body.append(root, ...noticeElements);
  applyTheme();
  whenSettingChanges("theme", applyTheme);
  listenToKeys();
  connection.addEventListener("signedOut", () => signIn());
  window.addEventListener("hashchange", () => {
    const code = takenCode();
    void (code === null ? draw() : enter(code));
  });
  // Its modules come while the session is asked for; which server it is of is not known yet.
  void screenOf(storeScreens, place().screen).load().catch(() => {});
  await enter(code);
}

/** The code of `bodega console`, removed from the address and the browser's history. */
function takenCode() {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    history.replaceState(null, "", "/console/");
  }
  return code;
}

/** @param {string | null} code Without one, the session of this tab goes on. */
async function enter(code) {
  try {
    if (code !== null) {
      await signInBy(code);
    } else if (!await connection.resume()) {
      signIn();
      return;
    }
    await draw();
  } catch (error) {
    signIn(error instanceof StoreError && error.status === 401 && code === null
      ? undefined : error);
  }
}

/**
 * Signs in by a code. A session that this tab has goes on if the code is refused.
 * @param {string} code
 */
async function signInBy(code) {
  try {
    await connection.signIn({ code });
    leaveWorld();
  } catch (error) {
    if (!await connection.resume().catch(() => false)) {
      throw error;
    }
    notify(sentenceOf(error), "bad");
  }
}

/** @param {unknown} [reason] */
function signIn(reason) {
  leaveWorld();
  hasPresented = false;
  document.title = "Sign in · Bodega console";
  fill(root, signInScreen(() => void draw(), reason));
}

function leave() {
  shown?.stop.abort();
  shown = null;
}

function leaveWorld() {
  document.querySelectorAll("dialog").forEach((dialog) => dialog.close());
  leave();
  frame?.stop.abort();
  frame = null;
}

/** The screens of the server that the session is of. */
function screensHere() {
  return connection.isBackend ? backendScreens : storeScreens;
}

/** @param {import("./screens/index.js").Screen[]} screens @param {string} name */
function screenOf(screens, name) {
  return screens.find((screen) => screen.name === name) ?? screens[0];
}

/** Shows what the address names. */
async function draw() {
  if (connection.session === null) {
    return;
  }
  const screens = screensHere();
  const here = { ...place(), ...(connection.isBackend ? { world: "backend" } : {}) };
  if (here.world !== place().world) {
    const first = { world: here.world, screen: screens[0].name, path: [] };
    history.replaceState(null, "", hrefOf(first));
  }
  const screen = screenOf(screens, here.screen);
  if (frame === null || frame.world !== here.world) {
    leaveWorld();
    frame = makeFrame(here.world);
  }
  frame.nav.mark(screen.name);
  document.title = `${screen.title} · ${here.world} · Bodega console`;
  if (shown?.screen === screen.name && shown.view?.update !== undefined &&
    (shown.view.holds?.(here) ?? true)) {
    shown.view.update(here);
    return;
  }
  leave();
  const stop = new AbortController();
  const mine = { screen: screen.name, stop, view: /** @type {any} */ (null) };
  shown = mine;
  const { main } = frame;
  try {
    const module = await screen.load();
    if (shown === mine) {
      const world = worldNamed(here.world);
      const view = module.show({ world, place: place(), signal: mine.stop.signal });
      mine.view = view;
      present(main, view.element);
    }
  } catch (error) {
    if (shown === mine) {
      present(main, failure(error));
    }
  }
}

/**
 * Shows another content. A tab keeps the focus; whoever opened the content from within the old one
 * stands at its beginning.
 * @param {HTMLElement} main @param {HTMLElement} content
 */
function present(main, content) {
  const isTab = document.activeElement?.matches("main .tabs a");
  if (isTab) {
    keepingPlace(main, () => fill(main, content));
  } else {
    fill(main, content);
  }
  if (hasPresented && document.activeElement === document.body) {
    main.focus();
    announce(document.title);
  }
  hasPresented = true;
}

/** @param {string} world */
function makeFrame(world) {
  const stop = new AbortController();
  const main = h("main", { id: "main", tabindex: "-1" });
  const here = worldNamed(world);
  const screens = screensHere();
  const nav = navigation(here, screens, stop.signal);
  screens.forEach(({ name, key, title }) =>
    bind(`g ${key}`, `Go to ${title}`, () => goTo({ screen: name, path: [] }), stop.signal));
  const skip = h("button", { type: "button", class: "skip", onclick: () => main.focus() },
    "Skip to the content");
  fill(root, skip, header(here, screens[0].name, stop.signal), nav.element, main);
  return { world, stop, main, nav };
}

function applyTheme() {
  document.documentElement.dataset.theme = setting("theme");
}

void start();
