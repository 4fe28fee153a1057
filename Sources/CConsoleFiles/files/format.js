// Money, times, durations and sizes, written the same way everywhere.

import { h } from "./dom.js";
import { setting, whenSettingChanges } from "./settings.js";

/** @type {Record<string, string>} */
const spellings = {
  iso: "ISO", url: "URL", jws: "JWS", api: "API", http: "HTTP",
};

const numbers = new Intl.NumberFormat("en");

/**
 * "$4.99", from thousandths of the currency.
 * @param {number} milliunits
 * @param {string} currency
 */
export function money(milliunits, currency) {
  const digits = milliunits % 10 === 0 ? {} : { maximumFractionDigits: 3 };
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency, ...digits })
      .format(milliunits / 1000);
  } catch {
    return `${milliunits / 1000} ${currency}`;
  }
}

/** @param {number} value */
export function number(value) {
  return numbers.format(value);
}

/**
 * "3 requests".
 * @param {number} value
 * @param {string} one
 * @param {string} [many]
 */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** @param {number} bytes */
export function size(bytes) {
  const units = ["bytes", "KB", "MB", "GB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/**
 * "480 µs", "12 ms", "3.4 s", "5 m 10 s".
 * @param {number} microseconds
 */
export function duration(microseconds) {
  if (microseconds < 1000) {
    return `${microseconds} µs`;
  } else if (microseconds < 1_000_000) {
    return `${Math.round(microseconds / 1000)} ms`;
  } else if (microseconds < 60_000_000) {
    return `${(microseconds / 1_000_000).toFixed(1)} s`;
  }
  const seconds = Math.round(microseconds / 1_000_000);
  const counts = [
    [Math.floor(seconds / 86_400), "d"], [Math.floor(seconds / 3600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "m"], [seconds % 60, "s"],
  ];
  return counts.filter(([count]) => count !== 0).slice(0, 2)
    .map(([count, name]) => `${count} ${name}`).join(" ");
}

/**
 * "Billing retry" from `billingRetry`.
 * @param {string} name
 */
export function phrase(name) {
  const text = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(" ")
    .map((word) => spellings[word.toLowerCase()] ?? word.toLowerCase()).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * "Unintended purchase" from `UNINTENDED_PURCHASE`.
 * @param {string} name
 */
export function constant(name) {
  return phrase(name.toLowerCase().replaceAll("_", " "));
}

/**
 * "40%", from thousandths of a percent.
 * @param {number} thousandths
 */
export function percent(thousandths) {
  return `${thousandths / 1000}%`;
}

/** @typedef {"date" | "clock" | "both"} TimeStyle */

/**
 * A time as an element, which follows the switch between UTC and local time.
 * @param {number | null | undefined} milliseconds
 * @param {TimeStyle} [style]
 */
export function time(milliseconds, style = "both") {
  if (milliseconds === null || milliseconds === undefined) {
    return h("span", { class: "quiet" }, "–");
  }
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) {
    return h("span", null, String(milliseconds));
  }
  const element = h("time", { datetime: date.toISOString(), "data-style": style });
  write(element);
  return element;
}

/**
 * "2026-11-27 04:09:30", in the zone that was chosen.
 * @param {Date} date
 * @param {TimeStyle} [style]
 */
export function timeText(date, style = "both") {
  const isUTC = setting("times") === "utc";
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  const [day, clock] = (isUTC ? date : local).toISOString().slice(0, 19).split("T");
  return style === "date" ? day : style === "clock" ? clock : `${day} ${clock}`;
}

/**
 * A time as the value of a field of type `datetime-local`, in the zone that was chosen.
 * @param {number} milliseconds
 */
export function fieldText(milliseconds) {
  return timeText(new Date(milliseconds)).replace(" ", "T");
}

/**
 * The time that such a field has; null for none.
 * @param {string} text
 */
export function fieldTime(text) {
  const time = Date.parse(text + (setting("times") === "utc" ? "Z" : ""));
  return Number.isNaN(time) ? null : time;
}

/** The zone that was chosen, for the label of such a field. */
export function zone() {
  return setting("times") === "utc" ? "UTC" : "local time";
}

/**
 * A time as the commands take it: 2026-03-31T12:00:00Z.
 * @param {number} milliseconds
 */
export function commandTime(milliseconds) {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/**
 * The whole second at or after a time, since commands take no parts of one.
 * @param {number} milliseconds
 */
export function wholeSecond(milliseconds) {
  return Math.ceil(milliseconds / 1000) * 1000;
}

/** @param {HTMLTimeElement} element */
function write(element) {
  const date = new Date(element.dateTime);
  const style = /** @type {TimeStyle} */ (element.dataset.style ?? "both");
  element.textContent = timeText(date, style);
  element.title = setting("times") === "utc" ? date.toISOString() : date.toString();
}

whenSettingChanges("times", () => {
  document.querySelectorAll("time").forEach(write);
});

/**
 * Milliseconds from an amount such as `90s`, `15m`, `12h` or `7d`; null when it is not one.
 * @param {string} text
 */
export function milliseconds(text) {
  const [, count, unit] = /^(\d+(?:\.\d{1,3})?)([smhd])$/.exec(text.trim()) ?? [];
  const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return unit === undefined ? null
    : Math.round(Number(count) * units[/** @type {keyof typeof units} */ (unit)]);
}

/**
 * An amount as `milliseconds` reads it.
 * @param {number} milliseconds
 */
export function amount(milliseconds) {
  const seconds = milliseconds / 1000;
  return seconds % 86_400 === 0 && seconds > 0 ? `${seconds / 86_400}d`
    : seconds % 3600 === 0 && seconds > 0 ? `${seconds / 3600}h`
    : seconds % 60 === 0 && seconds > 0 ? `${seconds / 60}m` : `${seconds}s`;
}
