// Signed data (JWS) as JSON, read but not verified.

/** @typedef {{header: unknown, payload: unknown}} Decoded */

/**
 * The header and the payload of a compact JWS; undefined if the text is none.
 * @param {unknown} text
 * @returns {Decoded | undefined}
 */
export function decodedJWS(text) {
  if (typeof text !== "string" || !/^[\w-]+\.[\w-]+\.[\w-]*$/.test(text)) {
    return undefined;
  }
  try {
    const [header, payload] = text.split(".").slice(0, 2).map((part) => JSON.parse(decoded(part)));
    return { header, payload };
  } catch {
    return undefined;
  }
}

/**
 * A value with every JWS inside it replaced by its payload.
 * @param {unknown} value
 * @returns {unknown}
 */
export function withPayloads(value) {
  const inner = decodedJWS(value);
  if (inner !== undefined) {
    return withPayloads(inner.payload);
  } else if (Array.isArray(value)) {
    return value.map(withPayloads);
  } else if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, value]) =>
      [name, withPayloads(value)]));
  }
  return value;
}

/** @param {string} base64url */
function decoded(base64url) {
  const text = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return new TextDecoder().decode(Uint8Array.from(text, (byte) => byte.charCodeAt(0)));
}
