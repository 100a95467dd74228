import { existsSync, readdirSync, statSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import {
  comparePositions,
  encodePosition,
  type Position,
} from '../../../src/platform/journal/position.ts';
import type { Journal } from '../../../src/platform/journal/journal.ts';
import { createJournalReader } from '../../../src/platform/journal/reader.ts';
import {
  pathOf,
  readTexts,
  temporaryFolder,
  testJournal,
  textsAfterCrash,
  undamaged,
} from './journal-folder.ts';

test('a record can be read once its append has resolved, and not before', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  const before = journal.position();
  const appended = journal.append('first');
  expect(journal.position()).toEqual(before);
  await appended;
  expect(readTexts(dir, journal.start(), journal.position())).toEqual(['first']);
  expect(await textsAfterCrash(dir)).toEqual(['first']);
});

test('records of one turn share one write, and keep their order', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  const texts = Array.from({ length: 100 }, (_, index) => `record ${index} ünïcödé 🦊`);
  await Promise.all(
    texts.map((text, index) => journal.append(index % 2 === 0 ? text : Buffer.from(text))),
  );
  const written = { groups: 1, records: 100, failures: 0, pendingBytes: 0 };
  expect(journal.metrics()).toMatchObject(written);
  expect(readTexts(dir, journal.start(), journal.position())).toEqual(texts);
});

test('records that may linger share one write over several turns', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  const durable: Promise<void>[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    durable.push(journal.append(`turn ${turn}`, { mayLinger: true }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(journal.metrics()).toMatchObject({ groups: 0, records: 0 });
  await Promise.all(durable);
  expect(journal.metrics()).toMatchObject({ groups: 1, records: 3, pendingBytes: 0 });
  const texts = readTexts(dir, journal.start(), journal.position());
  expect(texts).toEqual(['turn 0', 'turn 1', 'turn 2']);
});

test.each([
  ['a record that somebody waits for', async (journal: Journal) => journal.append('awaited')],
  ['sync', async (journal: Journal) => journal.sync()],
  ['rotate', async (journal: Journal) => journal.rotate()],
  ['close', async (journal: Journal) => journal.close()],
])('%s also writes earlier lingering records, in order', async (_name, hurry) => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  const lingering = journal.append('lingering', { mayLinger: true });
  await hurry(journal);
  await lingering;
  vi.useRealTimers();
  expect((await textsAfterCrash(dir))[0]).toBe('lingering');
});

test("only a view's own bytes are stored, and they may be changed after append", async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  const bytes = Buffer.from('..inside..');
  const appended = journal.append(bytes.subarray(2, 8));
  bytes.fill('x');
  await appended;
  expect(readTexts(dir, journal.start(), journal.position())).toEqual(['inside']);
});

test('an empty record is refused', async () => {
  const journal = await testJournal(await temporaryFolder());
  await expect(journal.append('')).rejects.toThrow(RangeError);
  expect(journal.metrics().records).toBe(0);
});

test('sync settles with the appends before it', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  await journal.sync();
  void journal.append('awaited by sync');
  await journal.sync();
  expect(readTexts(dir, journal.start(), journal.position())).toEqual(['awaited by sync']);
});

test('listeners get the end of each group, and one that throws is reported', async () => {
  const journal = await testJournal(await temporaryFolder());
  const heard: Position[] = [];
  journal.onSynced(() => {
    throw new Error('listener');
  });
  const leave = journal.onSynced((position) => heard.push(position));
  await journal.append('one');
  await vi.waitFor(() => expect(heard).toEqual([journal.position()]), { timeout: 10_000 });
  leave();
  await journal.append('two');
  await journal.append('three');
  expect(heard).toHaveLength(1);
  expect(journal.errors[0]).toEqual(new Error('listener'));
});

test('overloaded: bytes in memory stay within pendingLimit', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir, { pendingLimit: 1000 });
  const results = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) => journal.append(`${index}`.padEnd(100))),
  );
  const stored = results.flatMap(({ status }, index) => (status === 'fulfilled' ? [index] : []));
  expect(stored).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(results.at(-1)).toMatchObject({ reason: { code: 'overloaded' } });
  expect(readTexts(dir, journal.start(), journal.position()).map(Number)).toEqual(stored);
  await journal.append('room again');
});

test('bytes behind the checkpoint stay within backlogLimit', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir, { backlogLimit: 1000, segmentSize: 400 });
  let stored = 0;
  const append = async (): Promise<void> => {
    await journal.append('x'.repeat(100));
    stored += 1;
  };
  const appendForever = async () => {
    for (;;) await append();
  };
  await expect(appendForever()).rejects.toMatchObject({ code: 'backlog' });
  expect(stored).toBeGreaterThan(6);
  expect(journal.backlogBytes()).toBeLessThanOrEqual(1000);
  expect(readTexts(dir, journal.start(), journal.position())).toHaveLength(stored);
  await journal.release(journal.position());
  expect(journal.backlogBytes()).toBe(0);
  await append();
});

test('segments before the checkpoint are removed after beforeRemove, later ones stay', async () => {
  const dir = await temporaryFolder();
  const asked: string[] = [];
  const beforeRemove = async (path: string): Promise<void> => {
    expect(existsSync(path)).toBe(true);
    asked.push(path);
  };
  const journal = await testJournal(dir, { segmentSize: 200, beforeRemove });
  for (let i = 0; i < 12; i += 1) await journal.append('x'.repeat(90));
  const [first, second, third] = journal.segments();
  await journal.release({ segment: third!.segment, offset: third!.bytes });
  expect(asked).toEqual([pathOf(dir, first!.segment), pathOf(dir, second!.segment)]);
  expect(readdirSync(dir)).toHaveLength(journal.segments().length);
  expect(journal.segments()[0]).toEqual(third);
  await journal.release({ segment: first!.segment, offset: 16 });
  expect(journal.segments()[0]).toEqual(third);
});

test('a segment stays while beforeRemove rejects, and the next checkpoint retries', async () => {
  const dir = await temporaryFolder();
  const beforeRemove = vi
    .fn<() => Promise<void>>()
    .mockRejectedValueOnce(new Error('not saved'))
    .mockResolvedValue();
  const journal = await testJournal(dir, { segmentSize: 1, beforeRemove });
  await journal.append('one');
  await journal.append('two');
  await journal.release(journal.position());
  expect(journal.errors).toEqual([new Error('not saved')]);
  expect(journal.segments()).toHaveLength(2);
  await journal.release(journal.position());
  expect(journal.segments()).toHaveLength(1);
});

test('a checkpoint past the end is refused, as it is from another journal', async () => {
  const journal = await testJournal(await temporaryFolder());
  const { segment, offset } = journal.position();
  await expect(journal.release({ segment, offset: offset + 1 })).rejects.toThrow(RangeError);
});

test('a drained journal takes almost no space after rotate and a checkpoint', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  await journal.append('x'.repeat(100_000));
  const drained = journal.position();
  await journal.rotate();
  await journal.rotate();
  const reader = createJournalReader({ dir });
  const { records, next } = reader.read(drained, journal.position(), 1000);
  reader.close();
  expect(records).toEqual([]);
  await journal.release(next);
  const sizes = readdirSync(dir).map((name) => statSync(`${dir}/${name}`).size);
  expect(sizes).toEqual([16]);
});

test('rotate keeps its order among appends', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  await Promise.all([journal.append('before'), journal.rotate(), journal.append('at once')]);
  await journal.append('after');
  expect(journal.segments()).toHaveLength(2);
  expect(readTexts(dir, journal.start(), journal.position())).toEqual([
    'before',
    'at once',
    'after',
  ]);
});

test('close waits for earlier appends, refuses later ones, and can be called again', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  const appended = journal.append('last');
  const closed = journal.close();
  await expect(journal.append('too late')).rejects.toMatchObject({ code: 'closed' });
  await expect(journal.rotate()).rejects.toMatchObject({ code: 'closed' });
  await Promise.all([appended, closed, journal.close()]);
  expect(await textsAfterCrash(dir)).toEqual(['last']);
});

test('a reopened journal continues at its end, and its padding is not damage', async () => {
  const dir = await temporaryFolder();
  const first = await testJournal(dir);
  await first.append('one');
  const end = first.position();
  expect(statSync(pathOf(dir, end.segment)).size).toBeGreaterThan(end.offset);
  await first.close();
  expect(statSync(pathOf(dir, end.segment)).size).toBe(end.offset);
  const second = await testJournal(dir);
  expect(second.recovery).toEqual(undamaged);
  expect(second.position()).toEqual(end);
  await second.append('two');
  expect(readTexts(dir, second.start(), second.position())).toEqual(['one', 'two']);
});

test('a new journal starts after the old one whose folder was deleted', async () => {
  const now = Date.now();
  const old = await testJournal(await temporaryFolder(), {
    clock: { now: () => now - 60_000 },
    segmentSize: 1,
  });
  for (let i = 0; i < 5; i += 1) await old.append('old');
  const fresh = await testJournal(await temporaryFolder(), { clock: { now: () => now } });
  expect(comparePositions(old.position(), fresh.start())).toBeLessThan(0);
});

test('encoded positions sort like the positions', () => {
  const positions = [
    { segment: 1, offset: 16 },
    { segment: 1, offset: 4096 },
    { segment: 9, offset: 17 },
    { segment: 10, offset: 16 },
  ];
  const texts = positions.map(encodePosition);
  expect(texts.toSorted()).toEqual(texts);
  expect(positions.toReversed().toSorted(comparePositions)).toEqual(positions);
});
