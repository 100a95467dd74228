import { randomFillSync } from 'node:crypto';

const idWords = 4;
const minSlots = 64;
const maxSlots = 1 << 18;
/** A table has room for at most this many times the ids of the one before it. */
const growth = 8;
const fill = 0.6;
const slotBytes = idWords * 4 + 1;

interface Table {
  slots: Uint32Array;
  used: Uint8Array;
  mask: number;
  /** Slots that are taken, also by removed keys: some must always be free. */
  count: number;
  removed: number;
  /** When it was begun, and when its newest key was seen. */
  oldest: number;
  newest: number;
}

/** What one scope has: its tables, the newest first. */
interface Scope {
  tables: Table[];
  bytes: number;
}

const createTable = (slots: number, now: number): Table => ({
  slots: new Uint32Array(slots * idWords),
  used: new Uint8Array(slots),
  mask: slots - 1,
  count: 0,
  removed: 0,
  oldest: now,
  newest: now,
});

const bytesOf = ({ mask }: Table): number => (mask + 1) * slotBytes;
const isFull = ({ count, mask }: Table): boolean => count >= Math.floor((mask + 1) * fill);

/**
 * Slots of a scope's next table: enough for a window of ids at the pace of the last one, and at
 * most `growth` times as many.
 */
function slotsAfter(last: Table | undefined, windowMs: number, now: number): number {
  if (last === undefined) return minSlots;
  const atPace = (last.count * windowMs) / Math.max(1, now - last.oldest);
  const wanted = Math.min(atPace, last.count * growth) / fill;
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(Math.max(1, wanted))), minSlots), maxSlots);
}

/** A scoped UUID as five 32-bit words: the scope, then the UUID's 128 bits. */
export type IdKey = Uint32Array;

/** Number of bytes that one key takes in a file. */
export const idKeyBytes = (idWords + 1) * 4;

/** Writes scope and UUID (36 characters, already checked) into `key`. */
export function writeIdKey(key: IdKey, scope: number, uuid: string): void {
  key[0] = scope;
  key[1] = Number.parseInt(uuid.slice(0, 8), 16);
  key[2] = Number.parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16);
  key[3] = Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16);
  key[4] = Number.parseInt(uuid.slice(28, 36), 16);
}

/**
 * Tabulation hashing of the UUID (Zobrist; Pătraşcu and Thorup, "The Power of Simple Tabulation
 * Hashing", 2012): linear probing takes a constant number of steps whatever the keys are. The
 * tables are random, so nobody outside this process can choose ids that collide.
 */
function createHash(): (key: IdKey) => number {
  const random = randomFillSync(new Uint32Array(idWords * 4 * 256));
  return (key) => {
    let hash = 0;
    for (let word = 0; word < idWords; word++) {
      const value = key[word + 1] ?? 0;
      const at = word << 10;
      hash ^=
        (random[at | (value & 255)] ?? 0) ^
        (random[at | 256 | ((value >>> 8) & 255)] ?? 0) ^
        (random[at | 512 | ((value >>> 16) & 255)] ?? 0) ^
        (random[at | 768 | (value >>> 24)] ?? 0);
    }
    return hash;
  };
}

function holds({ slots }: Table, slot: number, key: IdKey): boolean {
  const at = slot * idWords;
  return (
    slots[at] === key[1] &&
    slots[at + 1] === key[2] &&
    slots[at + 2] === key[3] &&
    slots[at + 3] === key[4]
  );
}

/** The slot that holds the key (`used` 1), or where it would go. Skips removed slots (`used` 2). */
function find(table: Table, hash: number, key: IdKey): number {
  let slot = hash & table.mask;
  while (table.used[slot] !== 0) {
    if (table.used[slot] === 1 && holds(table, slot, key)) return slot;
    slot = (slot + 1) & table.mask;
  }
  return slot;
}

function put(table: Table, slot: number, key: IdKey, now: number): void {
  const at = slot * idWords;
  for (let word = 0; word < idWords; word++) table.slots[at + word] = key[word + 1] ?? 0;
  table.used[slot] = 1;
  table.count += 1;
  table.newest = Math.max(table.newest, now);
}

interface Ids {
  windowMs: number;
  maxBytes: number;
  scopes: Map<number, Scope>;
  bytes: number;
  shortened: number;
}

const sizeOf = (tables: readonly Table[]): number =>
  tables.reduce((sum, table) => sum + bytesOf(table), 0);

function drop(ids: Ids, scope: Scope, isKept: (table: Table) => boolean): void {
  const kept = scope.tables.filter(isKept);
  const freed = sizeOf(scope.tables) - sizeOf(kept);
  scope.tables = kept;
  scope.bytes -= freed;
  ids.bytes -= freed;
}

const dropExpired = (ids: Ids, scope: Scope, now: number): void =>
  drop(ids, scope, (table) => now - table.newest <= ids.windowMs);

/** The scope with the most bytes once `growing` has `size` more; undefined when all are empty. */
function largestScope({ scopes }: Ids, growing: Scope, size: number): Scope | undefined {
  let [most, found]: [number, Scope | undefined] =
    growing.tables.length > 0 ? [growing.bytes + size, growing] : [0, undefined];
  for (const scope of scopes.values()) {
    if (scope.bytes > most) [most, found] = [scope.bytes, scope];
  }
  return found;
}

/** A scope's next table. Where memory is short, at most a quarter of an equal share. */
function slotsFor(ids: Ids, newest: Table | undefined, now: number): number {
  const wanted = slotsAfter(newest, ids.windowMs, now);
  if (ids.bytes + wanted * slotBytes <= ids.maxBytes) return wanted;
  const share = ids.maxBytes / (ids.scopes.size + 1);
  const allowed = 2 ** Math.floor(Math.log2(Math.max(1, share / 4 / slotBytes)));
  return Math.max(minSlots, Math.min(wanted, allowed));
}

/** Drops tables that are older than the window, then the oldest ones of the largest scopes. */
function makeRoom(ids: Ids, growing: Scope, size: number, now: number): void {
  if (ids.bytes + size <= ids.maxBytes) return;
  for (const [id, scope] of ids.scopes) {
    dropExpired(ids, scope, now);
    if (scope.tables.length === 0) ids.scopes.delete(id);
  }
  while (ids.bytes + size > ids.maxBytes) {
    const loser = largestScope(ids, growing, size);
    if (loser === undefined) return;
    const oldest = loser.tables.at(-1);
    drop(ids, loser, (table) => table !== oldest);
    ids.shortened += 1;
  }
}

/** A table of the scope that has room. */
function tableWithRoom(ids: Ids, id: number, now: number): Table {
  const scope = ids.scopes.get(id) ?? { tables: [], bytes: 0 };
  const newest = scope.tables[0];
  if (newest !== undefined && !isFull(newest)) return newest;
  dropExpired(ids, scope, now);
  const table = createTable(slotsFor(ids, newest, now), now);
  const size = bytesOf(table);
  makeRoom(ids, scope, size, now);
  ids.scopes.set(id, scope);
  scope.tables.unshift(table);
  scope.bytes += size;
  ids.bytes += size;
  return table;
}

function locate(
  { scopes }: Ids,
  key: IdKey,
  hash: number,
): { table: Table; slot: number } | undefined {
  const scope = scopes.get(key[0] ?? 0);
  if (scope === undefined) return undefined;
  for (const table of scope.tables) {
    const slot = find(table, hash, key);
    if (table.used[slot] === 1) return { table, slot };
  }
  return undefined;
}

/** Adds the key, seen at `now` (Unix ms), without looking whether an older table has it. */
function insert(ids: Ids, key: IdKey, hash: number, now: number): void {
  const table = tableWithRoom(ids, key[0] ?? 0, now);
  const slot = find(table, hash, key);
  if (table.used[slot] === 0) put(table, slot, key, now);
}

/**
 * An exact set of recently seen scoped UUIDs, in at most `maxBytes` of memory (17 bytes a slot, 28
 * an id in a full table). Each scope has tables of its own, and grows by further tables, so no
 * insertion ever pays for a rehash. A table is forgotten when its newest id is older than
 * `windowMs`. When there is no room left, the scope that takes the most loses its oldest table
 * (`shortened` counts these): a scope below its equal share never loses an id before its time,
 * however many ids come for others.
 */
export function createIdSet({ windowMs, maxBytes }: { windowMs: number; maxBytes: number }) {
  const hashOf = createHash();
  const ids: Ids = { windowMs, maxBytes, scopes: new Map(), bytes: 0, shortened: 0 };
  const tables = (): Table[] => [...ids.scopes.values()].flatMap((scope) => scope.tables);

  return {
    has: (key: IdKey): boolean => locate(ids, key, hashOf(key)) !== undefined,

    /** Adds the key, seen at `now` (Unix ms). False when it was there already. */
    add(key: IdKey, now: number): boolean {
      const hash = hashOf(key);
      if (locate(ids, key, hash) !== undefined) return false;
      insert(ids, key, hash, now);
      return true;
    },

    /** As `add`, faster, for keys that are hardly ever there already. */
    restore: (key: IdKey, now: number): void => insert(ids, key, hashOf(key), now),

    /** Takes a key back, for an event that could not be stored after all. */
    remove(key: IdKey): void {
      const found = locate(ids, key, hashOf(key));
      if (found === undefined) return;
      found.table.used[found.slot] = 2;
      found.table.removed += 1;
    },

    /** How many slots are looked at to find the key, or that it is not there. */
    probes(key: IdKey): number {
      const hash = hashOf(key);
      const probesIn = (table: Table): number => ((find(table, hash, key) - hash) & table.mask) + 1;
      const searched = ids.scopes.get(key[0] ?? 0)?.tables ?? [];
      return searched.reduce((sum, table) => sum + probesIn(table), 0);
    },

    size: (): number => tables().reduce((sum, { count, removed }) => sum + count - removed, 0),
    bytes: (): number => ids.bytes,
    /** Tables that were forgotten before their time. */
    shortened: (): number => ids.shortened,
  };
}

export type IdSet = ReturnType<typeof createIdSet>;
