import { randomInt, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hourMs } from '../../src/lib/durations.ts';
import { createIdSet, idKeyBytes, writeIdKey } from '../../src/lib/id-set.ts';

const perTable = Math.floor((1 << 18) * 0.6);
const tableBytes = (1 << 18) * 17;
const maxBytes = 64 * 1024 ** 2;

function keyOf(scope: number, uuid: string): Uint32Array {
  const key = new Uint32Array(idKeyBytes / 4);
  writeIdKey(key, scope, uuid);
  return key;
}

/** Returns the n-th of arbitrarily many different keys. */
const plain = (scope: number, n: number): Uint32Array =>
  Uint32Array.of(scope, n, 0x4000, 0x8000_0000, 0);

describe('an id set', () => {
  it('has exactly the added ids, none of another scope or with another digit', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
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

  it('ignores the case of a UUID', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
    ids.add(keyOf(1, 'A3BB189E-8BF9-3888-9912-ACE4E6543002'), 0);
    expect(ids.has(keyOf(1, 'a3bb189e-8bf9-3888-9912-ace4e6543002'))).toBe(true);
  });

  it('reports whether an id is new, and counts it once', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
    const key = keyOf(4_000_000_000, randomUUID());
    expect(ids.add(key, 0)).toBe(true);
    expect(ids.add(key, 1)).toBe(false);
    expect(ids.add(key, 2 * hourMs)).toBe(false);
    expect(ids.size()).toBe(1);
  });

  it('agrees with a Set over random additions and removals', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
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

  it('removes an id, which may then be added again, and keeps its neighbours', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
    const uuids = Array.from({ length: 1000 }, () => randomUUID());
    for (const uuid of uuids) ids.add(keyOf(1, uuid), 0);
    for (const uuid of uuids.slice(0, 500)) ids.remove(keyOf(1, uuid));
    expect(uuids.filter((uuid) => ids.has(keyOf(1, uuid)))).toEqual(uuids.slice(500));
    expect(ids.size()).toBe(500);
    expect(ids.add(keyOf(1, uuids[0]!), 0)).toBe(true);
    ids.remove(keyOf(1, randomUUID()));
    expect(ids.size()).toBe(501);
  });

  it('never fills up with ids that are added and removed repeatedly', () => {
    const ids = createIdSet({ windowMs: 0, maxBytes: 2 * tableBytes });
    for (let n = 0; n < 3 * perTable; n++) {
      const key = plain(1, n);
      ids.add(key, n);
      ids.remove(key);
    }
    expect(ids.size()).toBe(0);
    expect(ids.has(plain(1, 0))).toBe(false);
  });

  it('keeps the ids of the window in several tables and drops older tables whole', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
    for (let n = 0; n < perTable; n++) ids.add(plain(1, n), 0);
    expect(ids.add(plain(1, perTable), hourMs)).toBe(true);
    expect(ids.has(plain(1, 0))).toBe(true);
    for (let n = perTable + 1; n <= 3 * perTable; n++) ids.add(plain(1, n), 2 * hourMs + 1);
    expect(ids.has(plain(1, 0))).toBe(false);
    expect(ids.has(plain(1, 3 * perTable))).toBe(true);
    expect(ids.bytes()).toBeLessThan(4 * tableBytes);
    expect(ids.shortened()).toBe(0);
  });

  it('stays within its memory limit by dropping the oldest ids, and counts that', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes: 2 * tableBytes });
    for (let n = 0; n <= 3 * perTable; n++) ids.add(plain(1, n), 0);
    expect(ids.bytes()).toBeLessThanOrEqual(2 * tableBytes);
    expect(ids.shortened()).toBeGreaterThan(0);
    expect(ids.has(plain(1, 0))).toBe(false);
    expect(ids.has(plain(1, 3 * perTable))).toBe(true);
  });

  it('uses little memory for a scope with a slow stream of ids, over any time', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes });
    for (let n = 0; n < 20_000; n++) ids.add(plain(1, n), n * 60_000);
    expect(ids.bytes()).toBeLessThan(64 * 1024);
  });
});

const multiplier = 0x85ebca6b;

/** Returns the x for which Math.imul(multiplier, x) is 1 (Newton's iteration modulo 2³²). */
function inverted(odd: number): number {
  let inverse = odd;
  for (let round = 0; round < 5; round++) inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

/** A hash without a secret: `hash = (hash ^ word) * multiplier ^ hash >>> 13` for each word. */
function mixed(words: readonly number[]): number {
  return words.reduce(
    (hash, word) => Math.imul(hash ^ word, multiplier) ^ (hash >>> 13),
    0x9e3779b9,
  );
}

/**
 * Random keys that collide in that hash: the last word is chosen so that they all have the same
 * hash.
 */
function colliding(count: number, scope: number): Uint32Array[] {
  const back = inverted(multiplier);
  return Array.from({ length: count }, () => {
    const words = [scope, ...Array.from({ length: 3 }, () => randomInt(2 ** 32))];
    const hash = mixed(words);
    return Uint32Array.of(...words, hash ^ Math.imul(0x1234567 ^ (hash >>> 13), back));
  });
}

const meanProbes = (ids: ReturnType<typeof createIdSet>, keys: readonly Uint32Array[]): number =>
  keys.reduce((sum, key) => sum + ids.probes(key), 0) / keys.length;

describe('ids chosen by an attacker', () => {
  it('need no more probes than random ones, even if they collide in an unkeyed hash', () => {
    const attack = colliding(20_000, 1);
    expect(new Set(attack.map((key) => mixed([...key]))).size).toBe(1);
    const random = Array.from({ length: 20_000 }, () => keyOf(1, randomUUID()));
    const [attacked, ordinary] = [attack, random].map((keys) => {
      const ids = createIdSet({ windowMs: hourMs, maxBytes });
      for (const key of keys) ids.add(key, 0);
      return ids;
    });
    // In a nearly full table the means of two random sets differ by a tenth or two. A hash without
    // a secret would take ten thousand probes.
    expect(meanProbes(attacked!, attack)).toBeLessThan(2 * meanProbes(ordinary!, random));
    const others = Array.from({ length: 1000 }, () => keyOf(1, randomUUID()));
    expect(meanProbes(attacked!, others)).toBeLessThan(2 * meanProbes(ordinary!, others) + 1);
  });

  it('have other slots in every process, so that slots cannot be predicted', () => {
    const keys = Array.from({ length: 2000 }, (_, n) => plain(1, n));
    const costs = [0, 1].map(() => {
      const ids = createIdSet({ windowMs: hourMs, maxBytes });
      for (const key of keys) ids.add(key, 0);
      return keys.map((key) => ids.probes(key)).join();
    });
    expect(costs[0]).not.toBe(costs[1]);
  });

  it('evict no id of another site early, whether one site or many fill the memory', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes: 2 * tableBytes });
    const victims = Array.from({ length: 5000 }, () => randomUUID());
    for (const uuid of victims) ids.add(keyOf(7, uuid), 0);
    for (let n = 0; n < 3 * perTable; n++) ids.add(plain(1, n), 1);
    for (let n = 0; n < 2 * perTable; n++) ids.add(plain(100 + (n % 10), n), 2);
    expect(ids.shortened()).toBeGreaterThan(0);
    expect(victims.every((uuid) => ids.has(keyOf(7, uuid)))).toBe(true);
    expect(ids.bytes()).toBeLessThanOrEqual(2 * tableBytes);
  });

  it('leave room for a new site when the memory is full', () => {
    const ids = createIdSet({ windowMs: hourMs, maxBytes: 2 * tableBytes });
    for (let n = 0; n < 3 * perTable; n++) ids.add(plain(1, n), 0);
    const uuids = Array.from({ length: 1000 }, () => randomUUID());
    for (const uuid of uuids) ids.add(keyOf(2, uuid), 0);
    for (let n = 0; n < 3 * perTable; n++) ids.add(plain(1, n + 3 * perTable), 0);
    expect(uuids.every((uuid) => ids.has(keyOf(2, uuid)))).toBe(true);
  });
});
