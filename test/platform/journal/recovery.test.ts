import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { segmentHeader } from '../../../src/platform/journal/format.ts';
import type { Position } from '../../../src/platform/journal/position.ts';
import { createJournalReader } from '../../../src/platform/journal/reader.ts';
import { pathOf, readTexts, temporaryFolder, testJournal, undamaged } from './journal-folder.ts';

interface Written {
  dir: string;
  segment: number;
  bytes: Buffer;
  /** The end of each record's frame. The first entry is the start of the first frame. */
  ends: number[];
}

/** A closed journal with each text in a separate group. */
async function write(texts: readonly string[], segmentSize = 1024 ** 2): Promise<Written> {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir, { segmentSize });
  const ends = [journal.position().offset];
  for (const text of texts) {
    await journal.append(text);
    ends.push(journal.position().offset);
  }
  await journal.close();
  const segment = journal.start().segment;
  return { dir, segment, bytes: await readFile(pathOf(dir, segment)), ends };
}

async function reopen(dir: string) {
  const journal = await testJournal(dir);
  const texts = readTexts(dir, journal.start(), journal.position());
  return { journal, texts, recovery: journal.recovery };
}

async function reopenWith(segment: number, bytes: Buffer) {
  const dir = await temporaryFolder();
  await mkdir(dir, { recursive: true });
  await writeFile(pathOf(dir, segment), bytes);
  return { dir, ...(await reopen(dir)) };
}

const flipped = (bytes: Buffer, at: number, bit = 0x10): Buffer => {
  const copy = Buffer.from(bytes);
  copy[at] = copy[at]! ^ bit;
  return copy;
};

describe('a torn tail', () => {
  const texts = ['first', 'second record', 'the third'];

  test.each([
    ['cut short', 0],
    ['followed by the zeros that were written ahead', 500],
  ])(
    '%s at every byte: exactly the complete frames survive',
    async (_, zeros) => {
      const { segment, bytes, ends } = await write(texts);
      for (let cut = 0; cut <= bytes.length; cut += 1) {
        const torn = Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(zeros)]);
        const { journal, texts: found, recovery } = await reopenWith(segment, torn);
        const complete = ends
          .slice(1)
          .filter((end) => end <= cut || isZero(bytes.subarray(cut, end)));
        expect(found).toEqual(texts.slice(0, complete.length));
        expect(recovery.corruptFrames).toBe(
          zeros > 0 && cut > 0 && cut < 16 && !isZero(bytes.subarray(cut, 16)) ? 1 : 0,
        );
        expect(journal.position().offset).toBe(complete.at(-1) ?? 16);
        await journal.append('afterwards');
        await journal.close();
      }
    },
    60_000,
  );

  const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0);

  test('is counted, and later appends can be read', async () => {
    const { segment, bytes } = await write(texts);
    const { dir, journal, recovery } = await reopenWith(segment, bytes.subarray(0, -3));
    expect(recovery).toEqual({ ...undamaged, cutBytes: 12 + 4 + 'the third'.length - 3 });
    await journal.append('new');
    expect(readTexts(dir, journal.start(), journal.position())).toEqual([
      'first',
      'second record',
      'new',
    ]);
    expect(await readdir(dir)).toHaveLength(1);
  });

  test('garbage after the end is cut', async () => {
    const { segment, bytes } = await write(texts);
    const garbage = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251));
    const { texts: found, recovery } = await reopenWith(segment, Buffer.concat([bytes, garbage]));
    expect(found).toEqual(texts);
    expect(recovery).toMatchObject({ cutBytes: 5000, corruptFrames: 0 });
  });

  test('frames of another position are ignored, in this segment or another', async () => {
    const { segment, bytes, ends } = await write(texts);
    const copied = Buffer.concat([bytes, bytes.subarray(ends[0], ends[1])]);
    expect((await reopenWith(segment, copied)).texts).toEqual(texts);
    const other = Buffer.concat([segmentHeader(segment + 1), bytes.subarray(16)]);
    expect((await reopenWith(segment + 1, other)).texts).toEqual([]);
  });
});

describe('flipped bits', () => {
  const texts = ['alpha', 'bravo', 'charlie'];

  test('before the last frame: the others survive, the bad one is set aside once', async () => {
    const { segment, bytes, ends } = await write(texts);
    for (let at = ends[1]!; at < ends[2]!; at += 1) {
      const damaged = flipped(bytes, at);
      const { dir, journal, texts: found, recovery } = await reopenWith(segment, damaged);
      expect(found).toEqual(['alpha', 'charlie']);
      const corruptBytes = ends[2]! - ends[1]!;
      expect(recovery).toMatchObject({ cutBytes: 0, corruptFrames: 1, corruptBytes });
      expect(await readFile(recovery.setAside[0]!)).toEqual(damaged.subarray(ends[1], ends[2]));
      await journal.close();
      const again = await reopen(dir);
      expect(again.recovery).toEqual(undamaged);
      expect(again.texts).toEqual(['alpha', 'charlie']);
    }
  }, 30_000);

  test('a reader returns records before the bad frame, then throws with its position', async () => {
    const { dir, segment, bytes, ends } = await write(texts);
    const reader = createJournalReader({ dir });
    const end: Position = { segment, offset: bytes.length };
    for (let at = ends[1]!; at < ends[2]!; at += 1) {
      await writeFile(pathOf(dir, segment), flipped(bytes, at));
      const { records, next } = reader.read({ segment, offset: 16 }, end, 10_000);
      expect(records.map(String)).toEqual(['alpha']);
      expect(next.offset).toBe(ends[1]);
      expect(() => reader.read(next, end, 10_000)).toThrow(
        expect.objectContaining({ name: 'JournalCorruptError', position: next }),
      );
    }
    reader.close();
  });

  test('in the header: every frame survives', async () => {
    const { segment, bytes } = await write(texts);
    for (const at of [0, 3, 8, 15]) {
      const { texts: found, recovery } = await reopenWith(segment, flipped(bytes, at));
      expect(found).toEqual(texts);
      expect(recovery).toMatchObject({ corruptFrames: 1, corruptBytes: 16 });
    }
  });

  test('in the last frame of an earlier segment: set aside, not cut', async () => {
    const { dir, segment, bytes } = await write(texts, 1);
    const damaged = flipped(bytes, bytes.length - 1);
    await writeFile(pathOf(dir, segment), damaged);
    const { texts: found, recovery } = await reopen(dir);
    expect(found).toEqual(['bravo', 'charlie']);
    const corruptBytes = bytes.length - 16;
    expect(recovery).toMatchObject({ cutBytes: 0, corruptFrames: 1, corruptBytes });
    expect(await readFile(recovery.setAside[0]!)).toEqual(damaged.subarray(16));
  });

  test('a page of zeros in the middle is damage, not the end', async () => {
    const { segment, bytes, ends } = await write(texts);
    bytes.fill(0, ends[1], ends[2]);
    const { texts: found, recovery } = await reopenWith(segment, bytes);
    expect(found).toEqual(['alpha', 'charlie']);
    expect(recovery.corruptFrames).toBe(1);
  });
});

describe('segments', () => {
  const texts = ['one', 'two', 'three', 'four'];

  test('an empty last segment, or one with only its header, is used', async () => {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(16),
      Buffer.alloc(4096),
      segmentHeader(5),
      segmentHeader(5).subarray(0, 9),
    ]) {
      const { dir, journal, recovery, texts: found } = await reopenWith(5, bytes);
      expect(found).toEqual([]);
      expect(recovery.corruptFrames).toBe(0);
      await journal.append('works');
      expect(readTexts(dir, { segment: 5, offset: 16 }, journal.position())).toEqual(['works']);
    }
  });

  test('a missing or empty one is reported and replaced, and the others are read', async () => {
    const { dir, segment } = await write(texts, 1);
    await rm(pathOf(dir, segment + 1));
    await writeFile(pathOf(dir, segment + 2), '');
    const { texts: found, recovery } = await reopen(dir);
    expect(found).toEqual(['one', 'four']);
    expect(recovery).toEqual({ ...undamaged, missingSegments: [segment + 1, segment + 2] });
    expect((await reopen(dir)).recovery).toEqual(undamaged);
  });

  test('a reader throws at a missing or wrong segment', async () => {
    const { dir, segment } = await write(texts, 1);
    await rename(pathOf(dir, segment + 2), pathOf(dir, segment + 1));
    const end = { segment: segment + 3, offset: 16 };
    const reader = createJournalReader({ dir });
    const read = (from: Position, to = end) => reader.read(from, to, 100);
    expect(() => read({ segment: segment + 1, offset: 16 })).toThrow(/not that of this segment/);
    expect(() => read({ segment: segment + 2, offset: 16 })).toThrow(/cannot be opened/);
    expect(() => read({ segment, offset: 5000 })).toThrow(/ends before/);
    expect(() => read({ segment, offset: 20 })).toThrow(/no frame begins here/);
    expect(() => read(end, { segment, offset: 16 })).toThrow(RangeError);
    reader.close();
  });

  test('a last segment under a wrong name is set aside whole, not cut', async () => {
    const { dir, segment, bytes } = await write(['precious']);
    await rename(pathOf(dir, segment), pathOf(dir, segment + 7));
    const { texts: found, recovery } = await reopen(dir);
    expect(found).toEqual([]);
    expect(recovery).toMatchObject({ cutBytes: 0, corruptBytes: bytes.length });
    const setAside = await Promise.all(recovery.setAside.map((path) => readFile(path)));
    expect(Buffer.concat(setAside)).toEqual(bytes);
  });

  test('of a newer version are left unchanged', async () => {
    const { dir, segment, bytes } = await write(texts);
    bytes.writeUInt32LE(2, 4);
    await writeFile(pathOf(dir, segment), bytes);
    await expect(testJournal(dir)).rejects.toMatchObject({ code: 'unreadable' });
    expect(await readFile(pathOf(dir, segment))).toEqual(bytes);
  });

  test('that are far apart are refused instead of filling the gap', async () => {
    const { dir, segment, bytes } = await write(texts);
    await writeFile(pathOf(dir, segment + 100_000), bytes);
    await expect(testJournal(dir)).rejects.toMatchObject({ code: 'unreadable' });
  });

  test('other files in the folder are left alone', async () => {
    const { dir } = await write(texts);
    await writeFile(join(dir, 'notes.txt'), 'mine');
    expect((await reopen(dir)).texts).toEqual(texts);
    expect(await readFile(join(dir, 'notes.txt'), 'utf8')).toBe('mine');
  });
});
