import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createIdSet, idKeyBytes, writeIdKey } from '../../src/lib/id-set.ts';

const hourMs = 3_600_000;
const perTable = Math.floor((1 << 18) * 0.6);

function keyOf(scope: number, uuid: string): Uint32Array {
  const key = new Uint32Array(idKeyBytes / 4);
  writeIdKey(key, scope, uuid);
  return key;
}

/** The n-th of as many different UUIDs as wanted. */
const numbered = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;

describe('the set of ids', () => {
  it('holds exactly what was added: not the same id of another scope, not an id that differs in one digit', () => {
    const ids = createIdSet({ windowMs: hourMs });
    const uuid = 'a3bb189e-8bf9-3888-9912-ace4e6543002';
    expect(ids.add(keyOf(1, uuid), 0)).toBe(true);
    expect(ids.has(keyOf(1, uuid))).toBe(true);
    expect(ids.has(keyOf(2, uuid))).toBe(false);
    for (let at = 0; at < uuid.length; at++) {
      if (uuid[at] === '-') continue;
      const other = `${uuid.slice(0, at)}${uuid[at] === 'f' ? '0' : 'f'}${uuid.slice(at + 1)}`;
      expect(ids.has(keyOf(1, other))).toBe(false);
    }
  });

  it('knows a UUID whatever the case of its letters', () => {
    const ids = createIdSet({ windowMs: hourMs });
    ids.add(keyOf(1, 'A3BB189E-8BF9-3888-9912-ACE4E6543002'), 0);
    expect(ids.has(keyOf(1, 'a3bb189e-8bf9-3888-9912-ace4e6543002'))).toBe(true);
  });

  it('says whether an id is new, and counts it once', () => {
    const ids = createIdSet({ windowMs: hourMs });
    const key = keyOf(4_000_000_000, randomUUID());
    expect([ids.add(key, 0), ids.add(key, 1), ids.add(key, 2 * hourMs)]).toEqual([true, false, false]);
    expect(ids.size()).toBe(1);
  });

  it('agrees with a Set over random additions and removals', () => {
    const ids = createIdSet({ windowMs: hourMs });
    const reference = new Set<string>();
    const uuids = Array.from({ length: 300 }, () => randomUUID());
    for (let step = 0; step < 20_000; step++) {
      const uuid = uuids[(step * 7919 + (step >> 3)) % uuids.length]!;
      if (step % 3 === 0) {
        ids.remove(keyOf(1, uuid));
        reference.delete(uuid);
      } else {
        expect(ids.add(keyOf(1, uuid), step)).toBe(!reference.has(uuid));
        reference.add(uuid);
      }
    }
    expect(uuids.filter((uuid) => ids.has(keyOf(1, uuid))).sort()).toEqual([...reference].sort());
    expect(ids.size()).toBe(reference.size);
  });

  it('takes an id back, so that it may come again, without losing those beside it', () => {
    const ids = createIdSet({ windowMs: hourMs });
    const uuids = Array.from({ length: 1000 }, () => randomUUID());
    for (const uuid of uuids) ids.add(keyOf(1, uuid), 0);
    for (const uuid of uuids.slice(0, 500)) ids.remove(keyOf(1, uuid));
    expect(uuids.filter((uuid) => ids.has(keyOf(1, uuid)))).toEqual(uuids.slice(500));
    expect(ids.size()).toBe(500);
    expect(ids.add(keyOf(1, uuids[0]!), 0)).toBe(true);
    ids.remove(keyOf(1, randomUUID()));
    expect(ids.size()).toBe(501);
  });

  it('is never filled up by ids that are added and taken back for ever', () => {
    const ids = createIdSet({ windowMs: 0, maxTables: 2 });
    for (let n = 0; n < 3 * perTable; n++) {
      const key = keyOf(1, numbered(n));
      ids.add(key, n);
      ids.remove(key);
    }
    expect(ids.size()).toBe(0);
    expect(ids.has(keyOf(1, numbered(0)))).toBe(false);
  });

  it('keeps ids of the window over several tables, and forgets whole tables that are older', () => {
    const ids = createIdSet({ windowMs: hourMs });
    for (let n = 0; n < perTable; n++) ids.add(keyOf(1, numbered(n)), 0);
    expect(ids.add(keyOf(1, numbered(perTable)), hourMs)).toBe(true);
    expect(ids.has(keyOf(1, numbered(0)))).toBe(true);
    for (let n = perTable + 1; n <= 2 * perTable; n++) ids.add(keyOf(1, numbered(n)), hourMs + 1);
    expect(ids.has(keyOf(1, numbered(0)))).toBe(false);
    expect(ids.has(keyOf(1, numbered(perTable)))).toBe(true);
    expect(ids.shortened()).toBe(0);
  });

  it('has bounded memory: beyond it the oldest are forgotten, and that is told', () => {
    const ids = createIdSet({ windowMs: hourMs, maxTables: 2 });
    for (let n = 0; n <= 2 * perTable; n++) ids.add(keyOf(1, numbered(n)), 0);
    expect(ids.shortened()).toBe(1);
    expect(ids.size()).toBe(perTable + 1);
    expect(ids.has(keyOf(1, numbered(0)))).toBe(false);
    expect(ids.has(keyOf(1, numbered(2 * perTable)))).toBe(true);
  });
});
