import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { fileDisk, type JournalDisk, type SegmentFile } from '../../src/platform/journal/disk.ts';
import type { Journal } from '../../src/platform/journal/journal.ts';
import { describeSmallDisk, smallDisk } from './small-disk.ts';
import {
  readTexts,
  temporaryFolder,
  testJournal,
  textsAfterCrash,
} from '../platform/journal/journal-folder.ts';

/**
 * Appends `count` numbered records of `size` bytes in bursts. Returns the stored and the refused
 * numbers, and the error codes.
 */
async function appendMany(
  journal: Journal,
  from: number,
  count: number,
  size: number,
): Promise<{ stored: number[]; refused: number[]; codes: Set<unknown> }> {
  const outcome = { stored: [] as number[], refused: [] as number[], codes: new Set<unknown>() };
  for (let first = from; first < from + count; first += 16) {
    const numbers = Array.from(
      { length: Math.min(16, from + count - first) },
      (_, index) => first + index,
    );
    await Promise.all(
      numbers.map((number) =>
        journal.append(`${number}`.padEnd(size)).then(
          () => outcome.stored.push(number),
          (error: unknown) => {
            outcome.refused.push(number);
            outcome.codes.add(error instanceof Error && 'code' in error ? error.code : error);
          },
        ),
      ),
    );
  }
  return outcome;
}

const numbersIn = (dir: string, journal: Journal): number[] =>
  readTexts(dir, journal.start(), journal.position()).map(Number);

describeSmallDisk('a full disk', () => {
  test.each([1000, 4000, 90_000])(
    'refuses with `full`, stores no partial record, resumes with space (records of %i bytes)',
    async (size) => {
      const disk = smallDisk(2).folder;
      const dir = join(disk, 'journal');
      const ballast = join(disk, 'ballast');
      writeFileSync(ballast, Buffer.alloc(1024 ** 2));
      const journal = await testJournal(dir, { segmentSize: 256 * 1024 });
      const count = Math.ceil((2 * 1024 ** 2) / size);

      const first = await appendMany(journal, 0, count, size);
      expect(first.stored.length).toBeGreaterThan(0);
      expect(first.refused.length).toBeGreaterThan(0);
      expect(first.codes).toEqual(new Set(['full']));
      expect(numbersIn(dir, journal)).toEqual(first.stored);
      expect((await textsAfterCrash(dir)).map(Number)).toEqual(first.stored);
      expect(journal.errors.length).toBeGreaterThan(0);

      rmSync(ballast);
      const second = await appendMany(journal, count, 32, Math.min(size, 4000));
      expect(second.refused).toEqual([]);
      const stored = [...first.stored, ...second.stored];
      expect(numbersIn(dir, journal)).toEqual(stored);
      await journal.close();

      const reopened = await testJournal(dir);
      expect(numbersIn(dir, reopened)).toEqual(stored);
      expect(reopened.recovery).toMatchObject({
        cutBytes: 0,
        corruptFrames: 0,
        missingSegments: [],
      });
    },
  );

  test('has space again when the reader releases segments', async () => {
    const disk = smallDisk(2).folder;
    const dir = join(disk, 'journal');
    const journal = await testJournal(dir, { segmentSize: 256 * 1024 });
    const { stored, refused } = await appendMany(journal, 0, 3000, 1000);
    expect(refused.length).toBeGreaterThan(0);
    await journal.release(journal.position());
    const later = await appendMany(journal, 3000, 500, 1000);
    expect(later.refused).toEqual([]);
    const found = numbersIn(dir, {
      ...journal,
      start: () => ({ segment: journal.segments()[0]!.segment, offset: 16 }),
    });
    expect(found).toEqual([...stored, ...later.stored].slice(-found.length));
    expect(found.length).toBeGreaterThanOrEqual(500);
  });

  test('does not prevent a journal from opening and reading its records', async () => {
    const disk = smallDisk(2).folder;
    const dir = join(disk, 'journal');
    const journal = await testJournal(dir, { segmentSize: 256 * 1024 });
    const { stored } = await appendMany(journal, 0, 3000, 1000);
    await journal.close();
    const reopened = await testJournal(dir);
    expect(numbersIn(dir, reopened)).toEqual(stored);
  });
});

type Fault = 'none' | 'refuse' | 'half' | 'unsynced';

/**
 * Creates a real disk whose writes and truncations can be made to fail, as on a dying disk.
 * `truncates` counts the truncations that succeeded.
 */
function failingDisk() {
  const state = { write: 'none' as Fault, truncate: false, truncates: 0 };
  const broken = (): Error => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
  const wrap = (file: SegmentFile): SegmentFile => ({
    ...file,
    async write(bytes, position) {
      if (state.write === 'half') await file.write(bytes.subarray(0, bytes.length / 2), position);
      if (state.write === 'unsynced' || state.write === 'none') await file.write(bytes, position);
      if (state.write !== 'none') throw broken();
    },
    async truncate(size) {
      if (state.truncate) throw broken();
      await file.truncate(size);
      state.truncates += 1;
    },
  });
  const disk: JournalDisk = {
    open: async (path) => wrap(await fileDisk.open(path)),
    create: async (path, header) => wrap(await fileDisk.create(path, header)),
  };
  return { state, disk };
}

describe('an I/O error', () => {
  test.each<Fault>(['refuse', 'half', 'unsynced'])(
    '(%s) refuses all waiting appends; they never appear, not even after a crash',
    async (fault) => {
      const dir = await temporaryFolder();
      const { state, disk: faulty } = failingDisk();
      const journal = await testJournal(dir, { disk: faulty });
      await journal.append('before');
      const end = journal.position();
      state.write = fault;
      const inFlight = journal.append('in flight');
      const queued = new Promise<void>((resolve, reject) => {
        setImmediate(() => void journal.append('queued').then(resolve, reject));
      });
      const results = await Promise.allSettled([inFlight, journal.sync(), queued]);
      expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected']);
      expect(results[0]).toMatchObject({ reason: { code: 'full', cause: { code: 'EIO' } } });
      expect(journal.position()).toEqual(end);
      expect(await textsAfterCrash(dir)).toEqual(['before']);
      state.write = 'none';
      await journal.append('after');
      expect(await textsAfterCrash(dir)).toEqual(['before', 'after']);
      expect(readTexts(dir, journal.start(), journal.position())).toEqual(['before', 'after']);
      expect(journal.metrics()).toMatchObject({ records: 2, pendingBytes: 0 });
    },
  );

  test('also refuses records appended during the failing write', async () => {
    const dir = await temporaryFolder();
    const { disk: working } = failingDisk();
    let failWrite: (() => void) | undefined;
    const open = async (path: string): Promise<SegmentFile> => {
      const file = await working.open(path);
      const write = vi
        .fn(file.write)
        .mockImplementationOnce(file.write)
        .mockImplementationOnce(
          () =>
            new Promise((_, reject) => {
              failWrite = () => reject(new Error('EIO'));
            }),
        );
      return { ...file, write };
    };
    const journal = await testJournal(dir, { disk: { ...working, open } });
    const inFlight = journal.append('in flight');
    await vi.waitFor(() => expect(failWrite).toBeDefined(), { timeout: 10_000 });
    const queued = journal.append('queued');
    failWrite?.();
    expect((await Promise.allSettled([inFlight, queued])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    await journal.append('after');
    expect(await textsAfterCrash(dir)).toEqual(['after']);
  });

  test('blocks all writes until a partial record can be truncated', async () => {
    const dir = await temporaryFolder();
    const { state, disk: faulty } = failingDisk();
    const journal = await testJournal(dir, { disk: faulty });
    await journal.append('before');
    Object.assign(state, { write: 'unsynced', truncate: true });
    await expect(journal.append('refused')).rejects.toMatchObject({ code: 'full' });
    state.write = 'none';
    await expect(journal.append('also refused')).rejects.toMatchObject({ code: 'full' });
    await expect(journal.rotate()).rejects.toMatchObject({ code: 'full' });
    expect(journal.segments()).toHaveLength(1);
    state.truncate = false;
    await journal.append('after');
    expect(readTexts(dir, journal.start(), journal.position())).toEqual(['before', 'after']);
    expect(await textsAfterCrash(dir)).toEqual(['before', 'after']);
  });

  test('keeps the old segment when no new one can be created, and retries later', async () => {
    const dir = await temporaryFolder();
    const { disk: working } = failingDisk();
    const create = vi.fn(working.create).mockRejectedValueOnce(new Error('ENOSPC'));
    const journal = await testJournal(dir, { disk: { ...working, create }, segmentSize: 1 });
    await journal.append('one');
    await expect(journal.append('two')).rejects.toMatchObject({ code: 'full' });
    await journal.append('three');
    expect(journal.segments()).toHaveLength(2);
    expect(await textsAfterCrash(dir)).toEqual(['one', 'three']);
  });
});
