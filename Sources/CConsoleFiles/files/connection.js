// The one place that calls fetch: the session, worlds, and the store's refusals.

/** @typedef {Record<string, string | number | boolean | null | undefined>} Query */
/**
 * A file as a body is sent byte for byte; `isText` and `isFile` keep an answer as it came;
 * `isAnonymous` sends no session.
 * @typedef {{query?: Query, body?: unknown, signal?: AbortSignal, isText?: boolean,
 *   isFile?: boolean, isAnonymous?: boolean}} Options
 */
/** @typedef {{isReadOnly: boolean, expiresAt: number, idleSeconds: number,
 *   server?: "store" | "backend"}} Session */

const attendedMilliseconds = 30_000;
let lastInput = Date.now();
for (const name of ["keydown", "pointerdown"]) {
  addEventListener(name, () => {
    lastInput = Date.now();
  }, { capture: true, passive: true });
}

const sessionKey = "bodega.session";
const retriesMax = 3;

/** The type of a `Blob` whose bytes are no JSON. */
export const binaryType = "application/octet-stream";

/** What the store refused, or that it could not be reached: then the status is 0. */
export class StoreError extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {number} [retryAfterSeconds]
   */
  constructor(status, code, message, retryAfterSeconds) {
    super(message);
    this.name = "StoreError";
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the request was refused, and surely not done. */
  get isRefusal() {
    return this.status >= 200 && this.status < 500;
  }

  /** Whether the same request may succeed in a moment, and may have been done already. */
  get isPassing() {
    return this.status === 0 || this.status === 502 || this.status === 503;
  }
}

/**
 * Whether what is shown may stay: the connection's state says why it is not renewed.
 * @param {unknown} error
 */
export function isPassing(error) {
  return error instanceof StoreError && error.isPassing;
}

/**
 * A path whose values are encoded: at`transactions/${id}/revoke`. Browsers take "." and ".." for
 * steps in a path, encoded as well. They keep "../" when its slash is encoded; the store refuses
 * that name.
 * @param {TemplateStringsArray} texts
 * @param {...(string | number)} values
 */
export function at(texts, ...values) {
  return texts.reduce((path, text, index) =>
    path + segment(String(values[index - 1])) + text);
}

/** @param {string} value */
function segment(value) {
  return encodeURIComponent(value === "." || value === ".." ? `${value}/` : value);
}

class Connection extends EventTarget {
  /** @type {Session | null} */
  session = null;
  isAway = false;

  get isReadOnly() {
    return this.session?.isReadOnly ?? false;
  }

  get isBackend() {
    return this.session?.server === "backend";
  }

  /** Takes up the session of this tab; false if there is none. */
  async resume() {
    if (sessionStorage.getItem(sessionKey) === null) {
      return false;
    }
    this.session = await this.request("GET", "/console/v1/session");
    return true;
  }

  /** @param {{token?: string, code?: string, isReadOnly?: boolean}} body */
  async signIn(body) {
    const answer = await this.request("POST", "/console/v1/sessions", { body, isAnonymous: true });
    sessionStorage.setItem(sessionKey, answer.session);
    this.session = answer;
  }

  get serverName() {
    return this.isBackend ? "The backend" : "The store";
  }

  /** Which server this is a console of; anybody may ask. */
  async server() {
    const answer = await fetch("./", { method: "HEAD", cache: "no-store", credentials: "omit" });
    return answer.headers.get("Console-Server");
  }

  async signOut() {
    try {
      await this.request("DELETE", "/console/v1/session");
    } finally {
      this.forget();
    }
  }

  forget() {
    sessionStorage.removeItem(sessionKey);
    this.session = null;
    this.dispatchEvent(new Event("signedOut"));
  }

  /**
   * The answer of the store, or a `StoreError`. Reads wait out a store that is busy.
   * @param {string} method
   * @param {string} path
   * @param {Options} [options]
   * @returns {Promise<any>}
   */
  async request(method, path, options = {}) {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.send(method, path, options);
      } catch (error) {
        const isBusy = error instanceof StoreError && error.status === 503;
        if (!isBusy || method !== "GET" || attempt === retriesMax) {
          throw error;
        }
        await pause((error.retryAfterSeconds ?? attempt) * 1000, options.signal);
      }
    }
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {Options} options
   */
  async send(method, path, { query, body, signal, isText, isFile, isAnonymous }) {
    /** @type {Record<string, string>} */
    const headers = { Accept: "application/json" };
    const session = isAnonymous ? null : sessionStorage.getItem(sessionKey);
    if (session !== null) {
      headers.Authorization = `Bearer ${session}`;
    }
    // What the page asks by itself does not keep the session from ending for lack of use.
    if (Date.now() - lastInput > attendedMilliseconds) {
      headers["Console-Unattended"] = "true";
    }
    if (body !== undefined) {
      const isBinary = body instanceof Blob && body.type === binaryType;
      headers["Content-Type"] = isBinary ? binaryType : "application/json";
    }
    let answer;
    let text;
    try {
      answer = await fetch(path + queryText(query), {
        method, headers, signal, cache: "no-store", credentials: "omit", redirect: "error",
        body: body === undefined || body instanceof Blob ? body : JSON.stringify(body),
      });
      if (isFile && answer.ok) {
        return await answer.blob();
      }
      text = await answer.text();
    } catch (error) {
      signal?.throwIfAborted();
      this.setAway(true);
      throw new StoreError(0, "away", `${this.serverName} cannot be reached. Is it running?`);
    }
    this.setAway(false);
    if (answer.ok) {
      return isText ? text : parsed(text);
    }
    // A session that was replaced since says nothing about the present one.
    if (answer.status === 401 && session !== null &&
      session === sessionStorage.getItem(sessionKey)) {
      this.forget();
    }
    const error = refusal(answer, text);
    if (error.code === "sessionReadsOnly" && this.session !== null && !this.isReadOnly) {
      this.session = { ...this.session, isReadOnly: true };
      this.dispatchEvent(new Event("readsOnly"));
    }
    throw error;
  }

  /** @param {boolean} isAway */
  setAway(isAway) {
    if (isAway !== this.isAway) {
      this.isAway = isAway;
      this.dispatchEvent(new Event("reach"));
    }
  }
}

export const connection = new Connection();

/** A world's control interface; every path is below its `/control/v1/`. */
export class World {
  /** The words that its commands begin with. */
  program = ["bodega"];
  tokenVariable = "BODEGA_TOKEN";

  /** @param {string} name */
  constructor(name) {
    this.name = name;
    // No world has a "%" in its name: what is encoded twice is none.
    const prefix = name === "default" ? ""
      : `/t/${encodeURIComponent(name).replace(/^\.+$/, "%252E")}`;
    this.base = `${prefix}/control/v1/`;
  }

  get isDefault() {
    return this.name === "default";
  }

  /** @param {string} path @param {Query} [query] @param {AbortSignal} [signal] */
  get(path, query, signal) {
    return connection.request("GET", this.base + path, { query, signal });
  }

  /** @param {string} method @param {string} path @param {Options} [options] */
  async request(method, path, options) {
    const answer = await connection.request(method, this.base + path, options);
    connection.dispatchEvent(new Event("changed"));
    return answer;
  }
}

/**
 * Where the world's apps and servers find it, without an environment.
 * @param {World} world
 */
export function addressOf(world) {
  return location.origin + world.base.replace(/\/control\/v1\/$/, "");
}

/** A backend in the place of a world: it has one operator interface, below `/operator/v1/`. */
export class Backend extends World {
  program = ["bodega", "backend"];
  tokenVariable = "BODEGA_OPERATOR_TOKEN";

  constructor() {
    super("backend");
    this.base = "/operator/v1/";
  }

  get isDefault() {
    return true;
  }
}

/**
 * What the address names, at the server that the session is of.
 * @param {string} name
 */
export function worldNamed(name) {
  return connection.isBackend ? new Backend() : new World(name);
}

/**
 * `?a=1&b=2`, without what is absent or empty.
 * @param {Query} [query]
 */
export function queryText(query = {}) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== "") {
      parameters.set(name, String(value));
    }
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

/** @param {number} milliseconds @param {AbortSignal} [signal] @returns {Promise<void>} */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** @param {string} text */
function parsed(text) {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return text;
  }
}

/** @param {Response} answer @param {string} text */
function refusal(answer, text) {
  const error = parsed(text)?.error;
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  return new StoreError(
    answer.status, error?.code ?? `http${answer.status}`,
    error?.message ?? `${connection.serverName} answered with HTTP status ${answer.status}.`,
    Number.isFinite(seconds) ? seconds : undefined);
}
