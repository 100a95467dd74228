import { randomFillSync } from 'node:crypto';

const idWords = 4;
const minSlots = 64;
const maxSlots = 1 << 18;
/** Maximum growth factor from one table of a scope to the next. */
const growth = 8;
const fill = 0.6;
const slotBytes = idWords * 4 + 1;

interface Table {
  slots: Uint32Array;
  used: Uint8Array;
  mask: number;
  /** Number of occupied slots, including removed keys. Some must always be free. */
  count: number;
  removed: number;
  /** When the table was created, and when its newest key was seen, Unix ms. */
  oldest: number;
  newest: number;
}

/** The tables of a scope, newest first. */
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
 * Number of slots of a scope's next table: enough for a window of ids at the rate of the last
 * table, but at most `growth` times as many.
 */
function slotsAfter(last: Table | undefined, windowMs: number, now: number): number {
  if (last === undefined) return minSlots;
  const atLastRate = (last.count * windowMs) / Math.max(1, now - last.oldest);
  const wanted = Math.min(atLastRate, last.count * growth) / fill;
  return Math.min(Math.max(2 ** Math.ceil(Math.log2(Math.max(1, wanted))), minSlots), maxSlots);
}

/** A scoped UUID as five 32-bit words: the scope, then the UUID's 128 bits. */
export type IdKey = Uint32Array;

/** Size of a key in a file, in bytes. */
export const idKeyBytes = (idWords + 1) * 4;

/** Writes a scope and a UUID (36 characters, already validated) into `key`. */
export function writeIdKey(key: IdKey, scope: number, uuid: string): void {
  key[0] = scope;
  key[1] = Number.parseInt(uuid.slice(0, 8), 16);
  key[2] = Number.parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16);
  key[3] = Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16);
  key[4] = Number.parseInt(uuid.slice(28, 36), 16);
}

/**
 * Tabulation hashing of the UUID (Zobrist; Pătraşcu and Thorup, "The Power of Simple Tabulation
 * Hashing", 2012), with which linear probing takes a constant expected number of steps. The tables
 * are random, so an attacker cannot choose ids that collide.
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

function matches({ slots }: Table, slot: number, key: IdKey): boolean {
  const at = slot * idWords;
  return (
    slots[at] === key[1] &&
    slots[at + 1] === key[2] &&
    slots[at + 2] === key[3] &&
    slots[at + 3] === key[4]
  );
}

/**
 * Returns the slot of the key (`used` 1), or the free slot for it. Skips removed slots (`used` 2).
 */
function find(table: Table, hash: number, key: IdKey): number {
  let slot = hash & table.mask;
  while (table.used[slot] !== 0) {
    if (table.used[slot] === 1 && matches(table, slot, key)) return slot;
    slot = (slot + 1) & table.mask;
  }
  return slot;
}

function setSlot(table: Table, slot: number, key: IdKey, now: number): void {
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

function dropTables(ids: Ids, scope: Scope, isKept: (table: Table) => boolean): void {
  const kept = scope.tables.filter(isKept);
  const freed = sizeOf(scope.tables) - sizeOf(kept);
  scope.tables = kept;
  scope.bytes -= freed;
  ids.bytes -= freed;
}

const dropExpired = (ids: Ids, scope: Scope, now: number): void =>
  dropTables(ids, scope, (table) => now - table.newest <= ids.windowMs);

/**
 * Returns the scope with the most bytes, counting `size` more for `growing`; undefined when all are
 * empty.
 */
function largestScope({ scopes }: Ids, growing: Scope, size: number): Scope | undefined {
  let [most, found]: [number, Scope | undefined] =
    growing.tables.length > 0 ? [growing.bytes + size, growing] : [0, undefined];
  for (const scope of scopes.values()) {
    if (scope.bytes > most) [most, found] = [scope.bytes, scope];
  }
  return found;
}

/**
 * Number of slots of a scope's next table. When memory is short, at most a quarter of an equal
 * share.
 */
function slotsFor(ids: Ids, newest: Table | undefined, now: number): number {
  const wanted = slotsAfter(newest, ids.windowMs, now);
  if (ids.bytes + wanted * slotBytes <= ids.maxBytes) return wanted;
  const share = ids.maxBytes / (ids.scopes.size + 1);
  const allowed = 2 ** Math.floor(Math.log2(Math.max(1, share / 4 / slotBytes)));
  return Math.max(minSlots, Math.min(wanted, allowed));
}

/** Drops tables older than the window, then the oldest tables of the largest scopes. */
function makeRoom(ids: Ids, growing: Scope, size: number, now: number): void {
  if (ids.bytes + size <= ids.maxBytes) return;
  for (const [id, scope] of ids.scopes) {
    dropExpired(ids, scope, now);
    if (scope.tables.length === 0) ids.scopes.delete(id);
  }
  while (ids.bytes + size > ids.maxBytes) {
    const largest = largestScope(ids, growing, size);
    if (largest === undefined) return;
    const oldest = largest.tables.at(-1);
    dropTables(ids, largest, (table) => table !== oldest);
    ids.shortened += 1;
  }
}

/** Returns a table of the scope that is not full, creating one if needed. */
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

/** Adds the key, seen at `now` (Unix ms), without checking older tables for it. */
function insert(ids: Ids, key: IdKey, hash: number, now: number): void {
  const table = tableWithRoom(ids, key[0] ?? 0, now);
  const slot = find(table, hash, key);
  if (table.used[slot] === 0) setSlot(table, slot, key, now);
}

/**
 * An exact set of recently seen scoped UUIDs in at most `maxBytes` of memory (17 bytes per slot, 28
 * per id in a full table). Each scope has its own tables and grows by adding tables, so that no
 * insertion causes a rehash. A table is dropped when its newest id is older than `windowMs`. When
 * the memory is full, the largest scope loses its oldest table (counted by `shortened`): a scope
 * below its equal share never loses an id early, regardless of other scopes.
 */
export function createIdSet({ windowMs, maxBytes }: { windowMs: number; maxBytes: number }) {
  const hashOf = createHash();
  const ids: Ids = { windowMs, maxBytes, scopes: new Map(), bytes: 0, shortened: 0 };
  const tables = (): Table[] => [...ids.scopes.values()].flatMap((scope) => scope.tables);

  return {
    has: (key: IdKey): boolean => locate(ids, key, hashOf(key)) !== undefined,

    /** Adds the key, seen at `now` (Unix ms). Returns false when the set already has it. */
    add(key: IdKey, now: number): boolean {
      const hash = hashOf(key);
      if (locate(ids, key, hash) !== undefined) return false;
      insert(ids, key, hash, now);
      return true;
    },

    /** Like `add`, but faster, for keys that are rarely in the set already. */
    restore: (key: IdKey, now: number): void => insert(ids, key, hashOf(key), now),

    /** Removes a key, for an event that could not be stored. */
    remove(key: IdKey): void {
      const found = locate(ids, key, hashOf(key));
      if (found === undefined) return;
      found.table.used[found.slot] = 2;
      found.table.removed += 1;
    },

    /** Returns the number of slots probed to find the key or its absence. */
    probes(key: IdKey): number {
      const hash = hashOf(key);
      const probesIn = (table: Table): number => ((find(table, hash, key) - hash) & table.mask) + 1;
      const searched = ids.scopes.get(key[0] ?? 0)?.tables ?? [];
      return searched.reduce((sum, table) => sum + probesIn(table), 0);
    },

    size: (): number => tables().reduce((sum, { count, removed }) => sum + count - removed, 0),
    bytes: (): number => ids.bytes,
    /** Number of tables dropped early. */
    shortened: (): number => ids.shortened,
  };
}

export type IdSet = ReturnType<typeof createIdSet>;
