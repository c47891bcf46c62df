// The page that checks a record in the browser.
// @ts-check
import { hex, unhex, verify } from "./sealed.js";

const file = /** @type {HTMLInputElement} */ (document.getElementById("file"));
const key = /** @type {HTMLInputElement} */ (document.getElementById("key"));
const log = /** @type {HTMLInputElement} */ (document.getElementById("log"));
const result = /** @type {HTMLOutputElement} */ (document.getElementById("result"));

/** The id that receipts name a key by: the first 16 hex digits of its tagged digest. @param {string} text */
async function keyId(text) {
  const tag = new TextEncoder().encode("podesta/signing-key/1\n");
  const raw = unhex(text);
  const data = new Uint8Array(tag.length + raw.length);
  data.set(tag);
  data.set(raw, tag.length);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", data))).slice(0, 16);
}

/** @param {string} tag @param {string} text */
function line(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

async function check() {
  const chosen = file.files?.[0];
  if (!chosen) return;
  result.replaceChildren(line("p", "Checking …"));
  /** @type {{keys?: Record<string, string>, log?: string}} */
  const trust = {};
  try {
    if (key.value.trim()) trust.keys = { [await keyId(key.value.trim())]: key.value.trim() };
    if (log.value.trim()) trust.log = log.value.trim();
  } catch (error) {
    result.replaceChildren(line("p", `The key cannot be used: ${error}`));
    return;
  }
  const report = await verify(await chosen.text(), trust);
  const made = [];
  if (report.finding) {
    const where = report.finding.version ? ` at version ${report.finding.version}` : "";
    made.push(line("h2", `Fault ${report.finding.kind}${where}`), line("p", report.finding.message));
  } else {
    const c = /** @type {any} */ (report.counts);
    made.push(
      line("h2", "The seal holds"),
      line("p", `${report.game}, match ${report.match}, as ${report.viewer}: ${c.versions} versions in ${c.commits} ` +
        `commits, ${c.receipts} receipts, ${c.included} commits in the log, ${c.openings} values opened, ` +
        `${c.closed} closed, ${c.signed} commands signed by their seats.`),
    );
  }
  for (const note of report.notes) made.push(line("p", `Note: ${note}`));
  result.dataset.level = report.level;
  result.replaceChildren(...made);
}

for (const input of [file, key, log]) input.addEventListener("change", check);
