const slotsPerTable = 1 << 18;
const idsPerTable = Math.floor(slotsPerTable * 0.6);
const words = 5;

interface Table {
  slots: Uint32Array;
  used: Uint8Array;
  /** Slots that are taken, those of removed keys among them: they must not be so many that no free one is left. */
  count: number;
  removed: number;
  newest: number;
}

const createTable = (): Table => ({
  slots: new Uint32Array(slotsPerTable * words),
  used: new Uint8Array(slotsPerTable),
  count: 0,
  removed: 0,
  newest: 0,
});

/** A scoped UUID as five 32-bit words: the scope, then the UUID's 128 bits. */
export type IdKey = Uint32Array;

/** Number of bytes that one key takes in a file. */
export const idKeyBytes = words * 4;

/** Writes scope and UUID (36 characters, already checked) into `key`. */
export function writeIdKey(key: IdKey, scope: number, uuid: string): void {
  key[0] = scope;
  key[1] = Number.parseInt(uuid.slice(0, 8), 16);
  key[2] = Number.parseInt(uuid.slice(9, 13) + uuid.slice(14, 18), 16);
  key[3] = Number.parseInt(uuid.slice(19, 23) + uuid.slice(24, 28), 16);
  key[4] = Number.parseInt(uuid.slice(28, 36), 16);
}

function firstSlot(key: IdKey): number {
  let hash = 0x9e3779b9;
  for (let word = 0; word < words; word++) hash = Math.imul(hash ^ (key[word] ?? 0), 0x85ebca6b) ^ (hash >>> 13);
  return (hash ^ (hash >>> 16)) & (slotsPerTable - 1);
}

function holds(table: Table, slot: number, key: IdKey): boolean {
  const at = slot * words;
  const { slots } = table;
  return slots[at] === key[0] && slots[at + 1] === key[1] && slots[at + 2] === key[2]
    && slots[at + 3] === key[3] && slots[at + 4] === key[4];
}

/** The slot that holds the key (`used` 1), or where it would go; a removed slot (`used` 2) is passed over. */
function find(table: Table, start: number, key: IdKey): number {
  let slot = start;
  while (table.used[slot] !== 0) {
    if (table.used[slot] === 1 && holds(table, slot, key)) return slot;
    slot = (slot + 1) & (slotsPerTable - 1);
  }
  return slot;
}

/**
 * An exact set of recently seen scoped UUIDs with bounded memory (about 33 bytes an id).
 * It grows by tables of fixed size, so no insertion ever pays for a rehash; whole tables are forgotten
 * when their newest id is older than `windowMs`, or when `maxTables` is passed (`shortened` then counts them).
 */
export function createIdSet({ windowMs, maxTables = 32 }: { windowMs: number; maxTables?: number }) {
  let tables: Table[] = [];
  let shortened = 0;

  function room(now: number): Table {
    const newest = tables[0];
    if (newest !== undefined && newest.count < idsPerTable) return newest;
    tables = tables.filter((table) => now - table.newest <= windowMs);
    if (tables.length >= maxTables) shortened += tables.splice(maxTables - 1).length;
    const table = createTable();
    tables.unshift(table);
    return table;
  }

  function locate(key: IdKey): { table: Table; slot: number } | undefined {
    const start = firstSlot(key);
    for (const table of tables) {
      const slot = find(table, start, key);
      if (table.used[slot] === 1) return { table, slot };
    }
    return undefined;
  }

  return {
    has: (key: IdKey): boolean => locate(key) !== undefined,

    /** Adds the key, seen at `now` (Unix ms). False when it was there already. */
    add(key: IdKey, now: number): boolean {
      if (locate(key) !== undefined) return false;
      const table = room(now);
      const slot = find(table, firstSlot(key), key);
      table.slots.set(key, slot * words);
      table.used[slot] = 1;
      table.count += 1;
      table.newest = Math.max(table.newest, now);
      return true;
    },

    /** Takes a key back, for an event that could not be stored after all. */
    remove(key: IdKey): void {
      const found = locate(key);
      if (found === undefined) return;
      found.table.used[found.slot] = 2;
      found.table.removed += 1;
    },

    size: (): number => tables.reduce((sum, table) => sum + table.count - table.removed, 0),
    shortened: (): number => shortened,
  };
}

export type IdSet = ReturnType<typeof createIdSet>;
