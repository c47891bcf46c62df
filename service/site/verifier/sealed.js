// Checks a Podestà record at level sealed: the chain, the openings, the receipts and the inclusion proofs.
// No dependencies: Web Crypto only. Works in browsers and in Node. The formats are described in docs/record-format.md.
// @ts-check

const utf8 = new TextEncoder();

/** A fault that ends the check. `kind` is the number that `podesta verify` exits with. */
export class Fault extends Error {
  /** @param {number} kind @param {number} version @param {string} message */
  constructor(kind, version, message) {
    super(message);
    this.kind = kind;
    this.version = version;
  }
}

export const KIND = {
  UNREADABLE: 10, CHAIN: 11, OPENING: 12, RECEIPT: 13, SIGNATURE: 14, INCLUSION: 15, SPLIT_VIEW: 16,
};

/** RFC 8785 for what records hold: objects with ASCII keys, arrays, strings, safe integers, true, false, null. */
export function canonical(/** @type {any} */ value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    return `{${Object.keys(value).sort().map((k) => `${JSON.stringify(k)}:${canonical(value[k])}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new Error(`${value} is no safe integer`);
  return JSON.stringify(value);
}

/** @param {...Uint8Array} parts */
function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** @param {Uint8Array} data */
async function sha256(data) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data));
}

/** @param {string} tag @param {...Uint8Array} parts */
const digest = (tag, ...parts) => sha256(joined(utf8.encode(`podesta/${tag}/1\n`), ...parts));

/** @param {Uint8Array} key @param {string} tag @param {string} text */
async function keyed(key, tag, text) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return hex(new Uint8Array(await crypto.subtle.sign("HMAC", imported, utf8.encode(`podesta/${tag}/1\n${text}`))));
}

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

/** @param {unknown} text @param {number} [length] */
export function unhex(text, length = 32) {
  if (typeof text !== "string" || text.length !== 2 * length || !/^[0-9a-f]*$/.test(text)) {
    throw new Error(`not ${2 * length} lower-case hex digits`);
  }
  return Uint8Array.from({ length }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

/** @param {string} text */
const unbase64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));

/** @param {Uint8Array} key @param {Uint8Array} signature @param {Uint8Array} message */
async function signedBy(key, signature, message) {
  try {
    const imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
    return await crypto.subtle.verify({ name: "Ed25519" }, imported, signature, message);
  } catch {
    return false;
  }
}

/**
 * The canonical object in a text. Throws the fault if it is something else.
 * @param {unknown} text @param {() => Fault} fault @returns {any}
 */
function plain(text, fault) {
  try {
    const value = JSON.parse(/** @type {string} */ (text));
    if (value !== null && typeof value === "object" && !Array.isArray(value) && canonical(value) === text) return value;
  } catch {
    // falls through to the fault
  }
  throw fault();
}

/** Checks one record, commit by commit. */
class Check {
  /** @param {any} record @param {Map<string, Uint8Array>} keys @param {any} log */
  constructor(record, keys, log) {
    this.record = record;
    this.keys = keys;
    this.log = log;
    this.head = new Uint8Array();
    this.commit = 0;
    this.version = 0;
    this.publics = new Map();
    this.openings = new Map();
    this.seatKeys = new Map();
    this.counts = { commits: 0, versions: 0, receipts: 0, openings: 0, closed: 0, included: 0, signed: 0 };
  }

  async run() {
    this.head = await digest("genesis", utf8.encode(this.record.match));
    const headers = [];
    for (const commit of this.record.commits) headers.push(await this.chain(commit));
    this.claims();
    for (const [i, commit] of this.record.commits.entries()) await this.open(commit, headers[i]);
    for (const [i, commit] of this.record.commits.entries()) await this.command(commit, headers[i]);
    await this.inclusion(headers);
    this.counts.commits = headers.length;
    this.counts.versions = this.version;
    return this.counts;
  }

  /** @param {any} commit */
  async chain(commit) {
    const first = this.version + 1;
    const bad = (/** @type {string} */ why) => new Fault(KIND.CHAIN, first, why);
    const header = plain(commit.header, () => bad("A header is not canonical JSON."));
    const follows = [header.match, header.commit, header.first, header.rules];
    const expected = [this.record.match, this.commit + 1, first, this.record.rules];
    if (canonical(follows) !== canonical(expected)) throw bad("A header does not follow.");
    this.commit += 1;
    this.head = await digest("header", this.head, utf8.encode(commit.header));
    const place = `c${header.commit}`;
    this.publics.set(`${place} `, header.command);
    if (header.draws !== null) this.publics.set(`${place} /draws`, header.draws);
    if (header.signature !== null) this.publics.set(`${place} /signature`, header.signature);
    for (const event of commit.events) await this.event(event, header);
    if (header.last !== this.version) throw bad("The commit does not hold the versions that its header names.");
    if (commit.head !== hex(this.head)) throw bad("The chain head does not follow from header and events.");
    await this.receipt(commit, header);
    return header;
  }

  /** @param {any} event @param {any} header */
  async event(event, header) {
    const version = this.version + 1;
    const bad = (/** @type {string} */ why) => new Fault(KIND.CHAIN, version, why);
    if (event.version !== version) throw bad("A version is missing, doubled or out of order.");
    const body = plain(event.public, () => bad("An event's public form is not canonical JSON."));
    if (body.type !== event.type) throw bad("An event's type is not that of its body.");
    for (const path of event.hidden) {
      if (typeof body[path.slice(1)] !== "string") throw bad(`The hidden field ${path} has no commitment.`);
      this.publics.set(`e${version} ${path}`, body[path.slice(1)]);
    }
    const envelope = canonical({
      body, commit: header.commit, hidden: event.hidden, match: header.match, shape: event.shape, time: header.time,
      type: event.type, version,
    });
    this.head = await digest("event", this.head, utf8.encode(envelope));
    if (event.type === "Seated" && body.key) {
      this.seatKeys.set(body.seat, { key: body.key, all: body.signed_only === true, since: version });
    }
    this.version = version;
  }

  claims() {
    const opened = JSON.parse(this.record.commits[0].events[0].public);
    const ended = this.record.commits.some((/** @type {any} */ c) =>
      c.events.some((/** @type {any} */ e) => e.type === "Ended"));
    const says = [this.record.game, this.record.rules, this.record.digest, this.record.over];
    if (canonical(says) !== canonical([opened.game, opened.rules, opened.digest, ended])) {
      throw new Fault(KIND.CHAIN, 1, "The file's own words (game, rules, digest, over) are not its events'.");
    }
  }

  /** @param {any} commit @param {any} header */
  async receipt(commit, header) {
    const bad = (/** @type {string} */ why) => new Fault(KIND.RECEIPT, header.first, why);
    const { signature, ...says } = plain(commit.receipt, () => bad("This is no receipt in canonical form."));
    const key = this.keys.get(says.key);
    if (!key) throw bad(`The receipt is under key ${says.key}, which is not among the server's keys.`);
    const message = utf8.encode(`podesta/receipt/1\n${canonical(says)}`);
    let bytes;
    try {
      bytes = unhex(signature, 64);
    } catch {
      throw bad("The receipt's signature is malformed.");
    }
    if (!(await signedBy(key, bytes, message))) throw bad("The receipt's signature does not fit what it says.");
    const found = [says.match, says.first, says.version, says.head, says.command, says.time];
    const holds = [header.match, header.first, header.last, commit.head, header.command, header.time];
    if (canonical(found) !== canonical(holds)) throw bad("The server signed something else for this commit.");
    this.counts.receipts += 1;
  }

  /** @param {any} commit @param {any} header */
  async open(commit, header) {
    const place = `c${header.commit}`;
    const form = () => new Fault(KIND.OPENING, header.first, "A command is not in public form.");
    const command = plain(commit.command, form);
    for (const path of command.hidden ?? []) {
      if (typeof command[path.slice(1)] !== "string") throw form();
      this.publics.set(`${place} ${path}`, command[path.slice(1)]);
    }
    for (const opening of commit.openings) await this.opening(opening, header.first);
    for (const event of commit.events) {
      for (const opening of event.openings) await this.opening(opening, event.version);
    }
    if (this.openings.get(`${place} `) !== commit.command) {
      throw new Fault(KIND.OPENING, header.first, "The command shown is not the one that the header commits to.");
    }
  }

  /** @param {any} opening @param {number} version */
  async opening(opening, version) {
    const at = `${opening.place} ${opening.path}`;
    const expected = this.publics.get(at);
    if (expected === undefined) throw new Fault(KIND.OPENING, version, "An opening is for nothing that is hidden.");
    let made = "";
    try {
      const value = JSON.parse(opening.value);
      if (canonical(value) === opening.value) {
        const text = canonical([this.record.match, opening.place, opening.path, value]);
        made = await keyed(unhex(opening.salt), "commitment", text);
      }
    } catch {
      // it stays empty, and does not fit
    }
    if (made !== expected) {
      throw new Fault(KIND.OPENING, version, `What is said of ${opening.path || "the command"} is not what was committed to.`);
    }
    this.openings.set(at, opening.value);
    this.counts.openings += 1;
  }

  /** @param {any} commit @param {any} header */
  async command(commit, header) {
    const place = `c${header.commit}`;
    const { hidden = [], ...body } = JSON.parse(commit.command);
    let closed = 0;
    for (const path of hidden) {
      const value = this.openings.get(`${place} ${path}`);
      if (value === undefined) closed += 1;
      else body[path.slice(1)] = JSON.parse(value);
    }
    for (const event of commit.events) {
      closed += event.hidden.filter((/** @type {string} */ p) => !this.openings.has(`e${event.version} ${p}`)).length;
    }
    this.counts.closed += closed;
    await this.signature(header, place, hidden.every((/** @type {string} */ p) => this.openings.has(`${place} ${p}`)) ? body : null);
  }

  /** @param {any} header @param {string} place @param {any} command */
  async signature(header, place, command) {
    const seat = this.seatKeys.get(header.seat);
    const bad = (/** @type {string} */ why) => new Fault(KIND.SIGNATURE, header.first, why);
    if (header.signature === null) {
      if (seat?.all && header.first > seat.since) throw bad(`Seat ${header.seat} signs everything, but not this command.`);
      return;
    }
    const opened = this.openings.get(`${place} /signature`);
    if (opened === undefined || command === null) return;
    const text = canonical([header.match, header.seat, header.command_id, header.seen, command]);
    const message = utf8.encode(`podesta/signed-command/1\n${text}`);
    if (!seat || !(await signedBy(unhex(seat.key), unhex(JSON.parse(opened), 64), message))) {
      throw bad("A command's signature is not by its seat's registered key.");
    }
    this.counts.signed += 1;
  }

  /** @param {any[]} headers */
  async inclusion(headers) {
    if (!this.record.checkpoint || !this.log) return;
    const head = await checkpoint(this.record.checkpoint, this.log);
    for (const [i, commit] of this.record.commits.entries()) {
      if (!commit.inclusion) continue;
      const leaf = `{"head":${JSON.stringify(commit.head)},"header":${commit.header}}`;
      const hash = await sha256(joined(new Uint8Array([0]), utf8.encode(leaf)));
      if (!(await included(hash, commit.inclusion, head))) {
        throw new Fault(KIND.INCLUSION, headers[i].first, "The commit is not in the tree of the signed checkpoint.");
      }
      this.counts.included += 1;
    }
  }
}

/** @param {Uint8Array} left @param {Uint8Array} right */
const parent = (left, right) => sha256(joined(new Uint8Array([1]), left, right));

/**
 * RFC 9162, section 2.1.3.2.
 * @param {Uint8Array} leaf @param {{index: number, proof: string[]}} inclusion @param {{size: number, root: string}} head
 */
async function included(leaf, inclusion, head) {
  if (!(inclusion.index >= 0 && inclusion.index < head.size)) return false;
  let [position, last, current] = [inclusion.index, head.size - 1, leaf];
  for (const text of inclusion.proof) {
    let sibling;
    try {
      sibling = unhex(text);
    } catch {
      return false;
    }
    if (last === 0) return false;
    if (position % 2 || position === last) {
      current = await parent(sibling, current);
      while (position % 2 === 0 && position !== 0) [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
    } else {
      current = await parent(current, sibling);
    }
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 && hex(current) === head.root;
}

/** A log's verifier key from NAME+ID+KEY. @param {string} line */
export async function logKey(line) {
  const [name, id, ...rest] = line.split("+");
  const data = unbase64(rest.join("+"));
  const made = (await sha256(joined(utf8.encode(`${name}\n`), data))).slice(0, 4);
  if (data.length !== 33 || data[0] !== 1 || hex(made) !== id) throw new Error(`${line} is no Ed25519 verifier key`);
  return { name, id: made, key: data.slice(1) };
}

/**
 * The head that a checkpoint note states, if the log signed it.
 * @param {string} note @param {{name: string, id: Uint8Array, key: Uint8Array}} log
 */
export async function checkpoint(note, log) {
  const cut = note.lastIndexOf("\n\n");
  const text = note.slice(0, cut + 1);
  const bad = () => new Fault(KIND.INCLUSION, 0, "The checkpoint is not the log's.");
  const [origin, size, root] = text.split("\n");
  for (const line of note.slice(cut + 2).split("\n")) {
    const [dash, name, encoded] = line.split(" ");
    if (dash !== "\u2014" || name !== log.name) continue;
    let data;
    try {
      data = unbase64(encoded);
    } catch {
      throw bad();
    }
    if (hex(data.slice(0, 4)) !== hex(log.id)) continue;
    if (cut < 0 || origin !== log.name || !(await signedBy(log.key, data.slice(4), utf8.encode(text)))) throw bad();
    return { size: Number(size), root: hex(unbase64(root)) };
  }
  throw bad();
}

/**
 * Check a record. keys: the server's public keys, `{id: hex}`; without any, those in the file are taken, and `notes`
 * says so. log: its verifier key. against: checkpoints seen elsewhere.
 * @param {string} text
 * @param {{keys?: Record<string, string>, log?: string, against?: string[]}} [trust]
 */
export async function verify(text, trust = {}) {
  const notes = [];
  try {
    let record;
    try {
      record = JSON.parse(text);
    } catch {
      throw new Fault(KIND.UNREADABLE, 0, "The file is no whole record.");
    }
    if (record?.format !== "podesta-record/1" || !Array.isArray(record.commits) || !record.commits.length) {
      throw new Fault(KIND.UNREADABLE, 0, "The file is no record in a format known here.");
    }
    const given = trust.keys && Object.keys(trust.keys).length > 0;
    if (!given) notes.push("The server's key was taken from the file itself: it proves nothing against who made the file.");
    const keys = given ? trust.keys : Object.fromEntries(record.keys.map((/** @type {any} */ k) => [k.id, k.key]));
    const known = new Map(Object.entries(/** @type {any} */ (keys)).map(([id, key]) => [id, unhex(key)]));
    const log = trust.log ? await logKey(trust.log) : null;
    if (!log) notes.push("No log key was given: inclusion in the transparency log was not checked.");
    const counts = await new Check(record, known, log).run();
    await splitView(record, log, trust.against ?? []);
    return { level: "sealed", match: record.match, game: record.game, viewer: record.viewer, counts, finding: null, notes };
  } catch (error) {
    const fault = error instanceof Fault ? error : new Fault(KIND.UNREADABLE, 0, `The record is malformed: ${error}`);
    const finding = { kind: fault.kind, version: fault.version, message: fault.message };
    return { level: "none", match: "", game: "", viewer: "", counts: null, finding, notes };
  }
}

/** @param {any} record @param {any} log @param {string[]} against */
async function splitView(record, log, against) {
  if (!log || !against.length) return;
  const roots = new Map();
  for (const note of [...(record.checkpoint ? [record.checkpoint] : []), ...against]) {
    const { size, root } = await checkpoint(note, log);
    if (roots.has(size) && roots.get(size) !== root) {
      throw new Fault(KIND.SPLIT_VIEW, 0, `The log has signed two different trees of ${size} leaves.`);
    }
    roots.set(size, root);
  }
}
