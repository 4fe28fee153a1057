// Folders of files that go to the store: only what it does not have, in parts.

import { at, binaryType } from "../connection.js";

/** @typedef {{sha256: string, received: number, size: number}} Missing */

/** @param {File[]} files */
export function folderOf(files) {
  return files[0]?.webkitRelativePath.split("/")[0] || "FOLDER";
}

/**
 * Begins an upload, sends what is missing and commits it; the answer is that of the commit.
 * @param {import("../connection.js").World} world
 * @param {string} path Where an upload begins.
 * @param {Record<string, unknown>} body What the upload says beside its files.
 * @param {File[]} files
 */
export async function upload(world, path, body, files) {
  if (crypto.subtle === undefined) {
    throw new Error("A browser sends folders only on a page that came from this machine or by " +
      "TLS. Use the command.");
  }
  /** @type {Map<string, File>} */
  const known = new Map();
  const list = [];
  for (const file of files) {
    const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    const sha256 = [...new Uint8Array(digest)]
      .map((byte) => byte.toString(16).padStart(2, "0")).join("");
    known.set(sha256, file);
    list.push({ path: file.webkitRelativePath.split("/").slice(1).join("/"), sha256,
      size: file.size });
  }
  const { uploadId, missing, partBytesMax } = await world.request("POST", path,
    { body: { ...body, files: list } });
  for (const { sha256, received, size } of /** @type {Missing[]} */ (missing)) {
    const file = /** @type {File} */ (known.get(sha256));
    for (let offset = received; offset === 0 || offset < size; offset += partBytesMax) {
      await world.request("PUT", `${path}${at`/${uploadId}/files/${sha256}`}`, {
        query: { offset },
        body: file.slice(offset, Math.min(offset + partBytesMax, size), binaryType),
      });
    }
  }
  return world.request("POST", `${path}${at`/${uploadId}/commit`}`);
}
