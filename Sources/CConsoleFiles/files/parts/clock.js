// The clock's panel: what it shows, and the way forward, with what happens on the way.

import { actionButton } from "../action.js";
import { clockOf } from "../clock.js";
import { bodegaCommand, curlCommand } from "../command.js";
import { connection } from "../connection.js";
import { fill, h, uniqueID } from "../dom.js";
import { oneAtATime, whenWorldChanges } from "../follow.js";
import {
  commandTime, counted, fieldText, fieldTime, money, number, phrase, time, wholeSecond, zone,
} from "../format.js";
import { announce, notify } from "../notices.js";
import { whenSettingChanges } from "../settings.js";
import { chip, codeBlock, failure, write } from "./basics.js";
import { dialog } from "./dialog.js";
import { environments, titled } from "./filters.js";
import { pagesOf, stepTitle } from "./life.js";

/** @typedef {import("../connection.js").World} World */
/** @typedef {import("../action.js").Action} Action */
/** @typedef {import("../clock.js").Clock} Clock */
/** @typedef {import("./life.js").Subscription} Subscription */
/** @typedef {import("./life.js").Step & {account: string}} Due */

const shownMax = 6;

/** How far the slider goes, as the commands name it. */
const spans = ["0s", "1m", "5m", "15m", "30m", "1h", "3h", "6h", "12h", "1d", "2d", "3d", "7d",
  "14d", "30d", "60d", "90d", "180d", "365d"];
const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const buttons = [["1h", "1 hour"], ["1d", "1 day"], ["7d", "1 week"], ["30d", "30 days"]];

const paces = ["calendar", "sandboxThreeMinutes", "sandboxFiveMinutes", "sandboxFifteenMinutes",
  "sandboxThirtyMinutes", "sandboxOneHour", "oneHourIsOneDay", "thirtyMinutesIsOneDay",
  "fiveMinutesIsOneDay", "oneMinuteIsOneDay", "thirtySecondsIsOneDay", "oneSecondIsOneDay",
  "monthlyRenewalEveryHour", "monthlyRenewalEveryThirtyMinutes",
  "monthlyRenewalEveryFifteenMinutes", "monthlyRenewalEveryFiveMinutes",
  "monthlyRenewalEveryThirtySeconds", "oneRenewalEveryFifteenMinutes",
  "oneRenewalEveryFiveMinutes", "oneRenewalEveryMinute", "oneRenewalEveryThirtySeconds",
  "oneRenewalEveryTenSeconds", "oneRenewalEveryTwoSeconds"];

/** @param {World} world */
export function openClock(world) {
  const stop = new AbortController();
  const box = dialog("Clock", clockPanel(world, stop.signal));
  box.addEventListener("close", () => stop.abort());
}

/** @param {World} world @param {AbortSignal} signal */
export function clockPanel(world, signal) {
  const clock = clockOf(world);
  const face = h("div", { class: "face" });
  const changes = h("div", { class: "filters" });
  const note = h("div", { role: "status" });
  const bar = h("progress", { max: 1, "aria-label": "Advance" });
  const moving = h("div", { hidden: true }, bar, actionButton(world, {
    title: "Stop", text: "Ends the advance. The clock stays at the last event.",
    request: () => ({ method: "DELETE", path: "clock/advance" }),
    command: () => ["clock", "cancel"],
  }, (answer) => clock.take(answer)));
  const way = forward(world, signal);
  let buttonsOf = "";
  const draw = () => {
    const { state, now } = clock;
    if (state === null || now === null) {
      return;
    }
    fill(face, h("b", null, time(now)), state.mode === "held" ? chip("Held", "warn")
      : chip("Running", "good"), h("span", { class: "quiet" },
      Object.entries(state.paces ?? {}).map(([environment, pace]) =>
        h("div", null, `${phrase(environment)}: ${phrase(pace ?? "")}`))));
    const shown = state.mode === "held" ? `${state.now}` : state.mode;
    if (buttonsOf !== shown) {
      buttonsOf = shown;
      fill(changes, actionsOf(state).map((action) =>
        actionButton(world, action, (answer) => clock.take(answer))));
    }
  };
  const change = () => {
    draw();
    const { now = 0, advance } = clock.state ?? {};
    fill(note, advance === undefined ? null : advanceNote(advance));
    if (advance !== undefined) {
      bar.value = (now - advance.from) / Math.max(1, advance.to - advance.from);
    }
    moving.hidden = !clock.isMoving;
    way.draw();
  };
  clock.addEventListener("change", change, { signal });
  const timer = setInterval(draw, 1000);
  signal.addEventListener("abort", () => clearInterval(timer));
  change();
  const load = async () => {
    try {
      await clock.load();
    } catch (error) {
      fill(note, failure(error), h("button", { type: "button", onclick: load }, "Try again"));
    }
  };
  void load();
  return h("section", { class: "clock-panel", "aria-label": "Clock" },
    face, changes, note, moving, way.element);
}

/** @param {Clock} state @returns {Action[]} */
function actionsOf({ now, mode, paces: present }) {
  return [
    mode === "held" ? {
      title: "Run",
      text: "Lets the clock run. Everything that is due by its time happens.",
      fields: [{ name: "from", label: "From", type: "choice",
        choices: [["here", "The world's time"], ["real", "The real time"]] }],
      request: ({ from }) => ({ method: "PUT", path: "clock",
        body: { mode: "real", now: from === "here" ? wholeSecond(now) : undefined } }),
      command: ({ from }) => ["clock", "run", from === "here" && commandTime(wholeSecond(now))],
    } : {
      title: "Hold", text: "Holds the clock where it is.",
      request: () => ({ method: "PUT", path: "clock", body: { mode: "held" } }),
      command: () => ["clock", "hold"],
    },
    {
      title: "Set",
      text: "Sets the clock. It never goes back behind an event of a customer.",
      fields: [
        { name: "now", label: "Time", type: "time" },
        { name: "mode", label: "From then on", type: "choice",
          choices: [["held", "It is held"], ["real", "It runs"]], value: mode },
      ],
      request: (body) => ({ method: "PUT", path: "clock", body }),
      command: ({ now, mode }) => ["clock", mode === "held" ? "hold" : "run",
        now === null ? "TIME" : commandTime(now)],
      errors: { clockWouldGoBack: "now", clockOutOfRange: "now" },
    },
    {
      title: "Pace",
      text: "Sets how fast subscriptions renew, from their next period on.",
      fields: [
        { name: "environment", label: "Environment", type: "choice",
          choices: titled(environments) },
        { name: "pace", label: "Pace", type: "choice", value: present?.sandbox ?? paces[0],
          choices: titled(paces) },
      ],
      request: ({ environment, pace }) =>
        ({ method: "PUT", path: "clock/pace", body: { [environment]: pace } }),
      command: ({ environment, pace }) => ["clock", "pace", pace, "--environment", environment],
    },
  ];
}

/**
 * What the newest advance did, or does.
 * @param {import("../clock.js").Advance} advance
 */
function advanceNote(advance) {
  const { state, from, to, renewals, failedPayments, endings, leftOut, failure } = advance;
  const counts = [counted(renewals, "renewal"), counted(failedPayments, "failed payment"),
    `${counted(endings, "subscription")} ended`].join(", ");
  const way = state === "running" ? ["On the way to ", time(to)]
    : [`${phrase(state)}: from `, time(from), " to ", time(to)];
  return h("p", { class: "quiet" }, ...way, `: ${counts}`, leftOut === 0 ? null
    : `; ${number(leftOut)} left out, see the log: ${advance.leftOutSubscriptions.join(", ")}`,
  failure === undefined ? null : h("span", { class: "failure" }, failure));
}

/**
 * The way forward.
 * @param {World} world
 * @param {AbortSignal} signal
 */
function forward(world, signal) {
  const clock = clockOf(world);
  const ids = { slider: uniqueID("slider"), field: uniqueID("to") };
  // A date even where a span was clicked: a request whose answer got lost can be sent again.
  /** @type {number | null} */
  let target = null;
  /** @type {Due[] | null} */
  let dues = null;
  let isWhole = true;
  /** @type {unknown} */
  let problem = null;
  let isAsked = false;

  /** @type {HTMLInputElement} */
  const slider = h("input", { type: "range", id: ids.slider, min: 0, max: spans.length - 1,
    value: 0, oninput: () => chooseSpan(spans[Number(slider.value)]) });
  /** @type {HTMLInputElement} */
  const field = h("input", { type: "datetime-local", id: ids.field, step: 1, oninput: () => {
    target = fieldTime(field.value);
    draw(field);
    say();
  } });
  const label = h("label", { for: ids.field });
  const nextButton = h("button", { type: "button", onclick: () => {
    const [first] = upcoming();
    if (first !== undefined) {
      target = wholeSecond(first.at);
      draw();
      say();
    }
  } }, "Next due");
  const forecast = h("div", { class: "forecast" });
  const failed = h("div");
  const command = codeBlock("bodega command", "");
  const curl = codeBlock("curl", "");
  const button = h("button", { type: "submit", class: "primary" }, "Advance");

  const say = () => announce(forecast.firstElementChild?.textContent ?? "");
  const upcoming = () => (dues ?? []).filter(({ at }) => at > (clock.now ?? 0));
  /** @param {string} text */
  const chooseSpan = (text) => {
    target = text === "0s" ? null : wholeSecond((clock.now ?? 0) + millisecondsOf(text));
    draw();
    say();
  };
  const request = () => ({ method: "POST", path: "clock/advance", body: { to: target } });
  /** @param {Element} [typed] The field that the reader types in: it is left alone. */
  const draw = (typed) => {
    const now = clock.now;
    const to = target;
    fill(label, `Until, ${zone()}`);
    if (now === null) {
      return;
    }
    field.min = fieldText(now);
    if (typed !== field && document.activeElement !== field) {
      field.value = to === null ? "" : fieldText(to);
    }
    slider.value = String(to === null ? 0 : nearestSpan(to - now));
    slider.setAttribute("aria-valuetext", to === null ? "not at all" : fieldText(to));
    nextButton.disabled = upcoming().length === 0;
    button.disabled = to === null || to <= now || isAsked || clock.isMoving ||
      connection.isReadOnly;
    write(command, bodegaCommand(world,
      ["clock", "advance", to === null ? "TIME" : commandTime(to)]));
    write(curl, curlCommand(world, request()));
    fill(forecast, problem !== null
      ? [failure(problem), h("button", { type: "button", onclick: load }, "Try again")]
      : dues === null ? h("p", { class: "quiet" }, "Loading…")
        : to === null ? forecastNone(upcoming(), isWhole)
          : to <= now ? h("p", { class: "quiet" }, "A clock only moves forward.")
            : forecastOf(upcoming().filter(({ at }) => at <= to), isWhole));
  };
  const load = oneAtATime(async () => {
    try {
      const { rows, ...answer } =
        await pagesOf(world, "subscriptions", {}, "subscriptions", signal);
      dues = rows.flatMap((/** @type {Subscription} */ { account, next }) =>
        next === undefined ? [] : [{ account, ...next }]).sort((a, b) => a.at - b.at);
      isWhole = answer.isWhole;
      problem = null;
    } catch (error) {
      problem = error;
    }
    if (!signal.aborted) {
      draw();
    }
  });
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const { method, path, body } = request();
    isAsked = true;
    fill(failed);
    draw();
    // The answer comes when everything is done, or after a while; until then the clock is asked.
    const asking = setInterval(() => clock.load().catch(() => {}), 1000);
    try {
      const answer = await world.request(method, path, { body });
      target = null;
      clock.take(answer);
      notify(clock.isMoving ? "The clock is on its way" : "The clock moved on");
    } catch (error) {
      fill(failed, failure(error));
    } finally {
      clearInterval(asking);
      isAsked = false;
      if (!signal.aborted) {
        await load();
      }
    }
  };
  whenSettingChanges("times", () => draw(), signal);
  void load();
  whenWorldChanges(world, signal, () => {
    void load();
    clock.load().catch(() => {});
  });
  const element = h("form", { class: "forward", onsubmit: submit },
    h("label", { for: ids.slider }, "Advance by"), slider,
    h("div", { class: "filters" }, buttons.map(([text, title]) =>
      h("button", { type: "button", onclick: () => chooseSpan(text) }, title)), nextButton,
    h("span", { class: "until" }, label, field)),
    forecast, failed,
    h("details", null, h("summary", null, "As a command"), command, curl),
    h("footer", null, button));
  return { element, draw: () => draw() };
}

/** @param {boolean} isWhole Whether every subscription was read. */
function among(isWhole) {
  return isWhole ? null : " Among the subscriptions read: the world has more.";
}

/** @param {Due[]} dues @param {boolean} isWhole */
function forecastNone([first], isWhole) {
  return h("p", { class: "quiet" }, first === undefined ? "No subscription has anything due."
    : ["Due first: ", dueText(first), " ", time(first.at), isWhole ? null : "."], among(isWhole));
}

/**
 * What is due on the way.
 * @param {Due[]} dues @param {boolean} isWhole
 */
function forecastOf(dues, isWhole) {
  if (dues.length === 0) {
    return h("p", null, "Nothing is due until then.", among(isWhole));
  }
  /** @type {Map<string, number>} */
  const counts = new Map();
  dues.forEach((due) => counts.set(stepTitle(due), (counts.get(stepTitle(due)) ?? 0) + 1));
  return [
    h("p", null, "Due until then: ", [...counts].map(([title, count], index) =>
      [index === 0 ? "" : ", ", title.toLowerCase(), count === 1 ? "" : ` × ${count}`]).flat(),
    isWhole ? null : ".", among(isWhole)),
    h("ul", null, dues.slice(0, shownMax).map((due) =>
      h("li", null, time(due.at), " ", dueText(due))),
    dues.length > shownMax ? h("li", null, `${number(dues.length - shownMax)} more`) : null),
    h("p", { class: "quiet" }, "Subscriptions that renew go on to their next dates from there."),
  ];
}

/** @param {Due} due */
function dueText(due) {
  return [due.account, stepTitle(due).toLowerCase(), due.productId,
    due.priceMilliunits === undefined ? undefined : money(due.priceMilliunits, due.currency ?? "")]
    .filter((part) => part !== undefined).join(" · ");
}

/**
 * The place of the span nearest to a time, which gets shorter while the clock runs.
 * @param {number} milliseconds
 */
function nearestSpan(milliseconds) {
  const distances = spans.map((text) => Math.abs(millisecondsOf(text) - milliseconds));
  return distances.indexOf(Math.min(...distances));
}

/** @param {string} text */
function millisecondsOf(text) {
  return Number(text.slice(0, -1)) * units[/** @type {keyof typeof units} */ (text.slice(-1))];
}
