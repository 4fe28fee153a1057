// What happened, in the corner for a moment, and aloud for whoever listens.

import { fill, h } from "./dom.js";
import { setting } from "./settings.js";

const shownMilliseconds = 6000;
const corner = h("div", { class: "notices", role: "region", "aria-label": "Notices" });
const aloud = h("div", { class: "unseen", role: "status", "aria-live": "polite" });

export const noticeElements = [corner, aloud];

/**
 * Says a sentence to screen readers, unless announcements are off.
 * @param {string} text
 */
export function announce(text) {
  if (setting("announcements") === "on") {
    fill(aloud, text);
  }
}

/**
 * Shows a sentence for a moment, and says it.
 * @param {string} text
 * @param {"good" | "bad"} [tone]
 */
export function notify(text, tone = "good") {
  const notice = h("p", { class: `notice ${tone}` }, text);
  corner.append(notice);
  announce(text);
  setTimeout(() => notice.remove(), shownMilliseconds);
}
