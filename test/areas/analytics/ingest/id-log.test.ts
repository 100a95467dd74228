import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIdLog, loadIds } from '../../../../src/areas/analytics/ingest/duplicates/id-log.ts';
import { dayMs, hourMs } from '../../../../src/lib/durations.ts';
import { createIdSet, idKeyBytes, writeIdKey } from '../../../../src/lib/id-set.ts';

const windowMs = dayMs;
const begin = 490_000 * hourMs;

let dir: string;
let time: number;
const clock = { now: () => time };

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'ids-'));
  time = begin;
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function store(...ids: readonly string[]): void {
  const log = createIdLog({ dir, windowMs, clock });
  for (const id of ids) log.add(1, id);
  log.sync();
  log.close();
}

function areKnown(...wanted: readonly string[]): boolean[] {
  const ids = createIdSet({ windowMs, maxBytes: 16 * 1024 ** 2 });
  Array.from(loadIds({ dir, windowMs, clock, ids }));
  return wanted.map((id) => {
    const key = new Uint32Array(idKeyBytes / 4);
    writeIdKey(key, 1, id);
    return ids.has(key);
  });
}

const files = () => readdirSync(dir).sort();

describe('the files of client-chosen ids', () => {
  it('return the synced ids after a restart, and no others', () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const log = createIdLog({ dir, windowMs, clock });
    log.add(1, first);
    log.sync();
    log.add(1, second);
    log.close();
    expect(areKnown(first, second, randomUUID())).toEqual([true, false, false]);
  });

  it('hold more ids between two syncs than fit in the buffer', () => {
    const many = Array.from({ length: 12_000 }, () => randomUUID());
    store(...many);
    expect(areKnown(...many).every(Boolean)).toBe(true);
    expect(statSync(join(dir, files()[0]!)).size).toBe(12_000 * idKeyBytes);
  });

  it.each([1, 7, 19])(
    'skip a torn last entry (%i bytes of it) and keep the entries appended after it',
    (torn) => {
      const ids = Array.from({ length: 5 }, () => randomUUID());
      store(...ids.slice(0, 3));
      const file = join(dir, files()[0]!);
      truncateSync(file, 2 * idKeyBytes + torn);
      expect(areKnown(...ids)).toEqual([true, true, false, false, false]);
      store(...ids.slice(3));
      expect(areKnown(...ids)).toEqual([true, true, false, true, true]);
      expect(statSync(file).size).toBe(4 * idKeyBytes);
    },
  );

  it('are one per hour, deleted once their ids can no longer be replayed', () => {
    const [old, recent, last] = [randomUUID(), randomUUID(), randomUUID()];
    store(old);
    time += hourMs;
    store(recent);
    expect(files()).toHaveLength(2);
    time = begin + windowMs + hourMs + 1;
    expect(areKnown(old, recent)).toEqual([false, true]);
    store(last);
    expect(files()).toHaveLength(2);
    expect(areKnown(old, recent, last)).toEqual([false, true, true]);
  });

  it('keep an id for the whole window, to the last millisecond', () => {
    const id = randomUUID();
    time = begin + hourMs - 1;
    store(id);
    time += windowMs;
    expect(areKnown(id)).toEqual([true]);
  });

  it('are unaffected by other files in the folder', () => {
    appendFileSync(join(dir, 'notes.txt'), 'x');
    appendFileSync(join(dir, '12.ids.bak'), 'x');
    const id = randomUUID();
    store(id);
    expect(areKnown(id)).toEqual([true]);
    expect(files()).toContain('notes.txt');
  });

  it('are not created without ids to write', () => {
    const log = createIdLog({ dir, windowMs, clock });
    log.sync();
    log.close();
    expect(files()).toEqual([]);
  });
});
