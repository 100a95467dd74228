import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openJournal } from '../../../src/platform/journal/journal.ts';
import type { Position } from '../../../src/platform/journal/position.ts';
import { createJournalReader } from '../../../src/platform/journal/reader.ts';
import { temporaryFolder, testJournal } from './journal-folder.ts';

type Step =
  | { do: 'append'; sizes: number[]; wait: boolean }
  | { do: 'read'; maxBytes: number }
  | { do: 'rotate' | 'release' | 'reopen' };

const size = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 400 }) },
  fc.integer({ min: 1, max: 150_000 }),
);
const append = fc.record({
  do: fc.constant<'append'>('append'),
  wait: fc.boolean(),
  sizes: fc.array(size, { minLength: 1, maxLength: 12 }),
});
const read = fc.record({
  do: fc.constant<'read'>('read'),
  maxBytes: fc.integer({ min: 1, max: 50_000 }),
});
const others = fc.record({
  do: fc.constantFrom<'rotate' | 'release' | 'reopen'>('rotate', 'release', 'reopen'),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: append },
  { weight: 4, arbitrary: read },
  { weight: 1, arbitrary: others },
);

const plain = { backlogLimit: 1024 ** 3, pendingLimit: 1024 ** 3 };

/**
 * A payload with its number, as text or bytes, of the given size or the smallest that fits the
 * number.
 */
function payload(number: number, size: number): string | Buffer {
  const text = `${number}:`.padEnd(size, '\u00e9\u20ac.');
  return number % 3 === 0 ? Buffer.from(text) : text;
}

/** Runs the steps. Returns the appended records and those that the reader returned. */
async function play(
  dir: string,
  segmentSize: number,
  steps: readonly Step[],
): Promise<{ appended: string[]; seen: string[] }> {
  const fail = (error: unknown): void => void errors.push(error);
  const errors: unknown[] = [];
  const open = async () => openJournal({ dir, segmentSize, ...plain, onError: fail });
  const reader = createJournalReader({ dir });
  const appended: string[] = [];
  const seen: string[] = [];
  let journal = await open();
  let at: Position = journal.start();

  const read = (maxBytes: number): void => {
    const { records, next } = reader.read(at, journal.position(), maxBytes);
    seen.push(...records.map(String));
    at = next;
  };
  const append = (size: number): Promise<void> => {
    const record = payload(appended.length, size);
    appended.push(String(record));
    return journal.append(record);
  };
  const perform = async (now: Step): Promise<void> => {
    if (now.do === 'append') {
      const all = Promise.all(now.sizes.map(append));
      if (now.wait) await all;
    } else if (now.do === 'read') read(now.maxBytes);
    else if (now.do === 'rotate') await journal.rotate();
    else if (now.do === 'release') await journal.release(at);
    else {
      await journal.close();
      journal = await open();
      const nothing = { cutBytes: 0, corruptFrames: 0, missingSegments: [] };
      expect(journal.recovery).toMatchObject(nothing);
    }
  };
  for (const now of steps) await perform(now);
  await journal.sync();
  for (const { records } of reader.readAll(at, journal.position()))
    seen.push(...records.map(String));
  reader.close();
  await journal.close();
  expect(errors).toEqual([]);
  return { appended, seen };
}

test('append, rotate, release, reopen: the reader sees every record once, in order', async () => {
  const root = await temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.constant(4 * 1024 ** 2)),
      fc.array(step, { maxLength: 25 }),
      async (segmentSize, steps) => {
        const dir = join(root, String(run++));
        const { appended, seen } = await play(dir, segmentSize, steps);
        expect(seen).toEqual(appended);
        await rm(dir, { recursive: true });
      },
    ),
    { numRuns: 60 },
  );
}, 60_000);

test('a batch stays near maxBytes, and a larger group is returned whole', async () => {
  const dir = await temporaryFolder();
  const journal = await testJournal(dir);
  for (let i = 0; i < 20; i += 1) await journal.append('x'.repeat(984));
  await journal.append('y'.repeat(50_000));
  const reader = createJournalReader({ dir });
  const sizes = [...reader.readAll(journal.start(), journal.position(), 5000)].map(
    ({ records }) => records.length,
  );
  reader.close();
  expect(sizes).toEqual([5, 5, 5, 5, 1]);
});

test('a reader in another thread follows across segments and releases them', async () => {
  const dir = await temporaryFolder();
  const program = join(dir, '..', `${Date.now()}-reader-worker.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, 'reader-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: program,
    logLevel: 'error',
  });
  const journal = await testJournal(dir, { segmentSize: 20_000 });
  const worker = new Worker(program, { workerData: { dir, start: journal.start() } });
  onTestFinished(async () => {
    await worker.terminate();
    await rm(program);
  });
  const seen: string[] = [];
  worker.on('message', ({ texts, next }: { texts: string[]; next: Position }) => {
    seen.push(...texts);
    void journal.release(next);
  });
  journal.onSynced((position) => worker.postMessage(position));
  const texts = Array.from({ length: 3000 }, (_, index) => `${index} `.repeat(20));
  for (let i = 0; i < texts.length; i += 50)
    await Promise.all(texts.slice(i, i + 50).map((text) => journal.append(text)));
  await vi.waitFor(() => expect(seen).toHaveLength(texts.length), 5000);
  expect(seen).toEqual(texts);
  // Released segments are removed asynchronously.
  await vi.waitFor(() => expect(journal.segments().length).toBeLessThan(3), 5000);
});
