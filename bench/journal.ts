import {
  closeSync,
  constants,
  fsyncSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  write,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openJournal } from '../src/platform/journal/journal.ts';

/**
 * Appends to a journal from many appenders at once, each waiting until its record is durable before
 * the next, and compares with sequential bare O_DSYNC writes of the same size to a preallocated
 * file. The two alternate every fraction of a second, so that both see the same disk conditions.
 *
 * npx esbuild bench/journal.ts --bundle --platform=node --format=esm
 * --outfile=/tmp/journal-bench.mjs && node /tmp/journal-bench.mjs [folder]
 */
const parent = process.argv[2] ?? '.';
const rounds = 8;
const sliceMs = 300;
const mebibyte = 1024 ** 2;

/** CPU time of the calling thread, user and system, in microseconds. Linux only. */
const threadCpu = (): number =>
  Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1000;

function raise(error: unknown): never {
  throw error instanceof Error ? error : new Error(String(error));
}

/** Totals over all time slices of a run. */
interface Totals {
  operations: number;
  seconds: number;
  cpu: number;
}

async function runSlice(totals: Totals, work: (end: number) => Promise<number>): Promise<void> {
  const begun = performance.now();
  const cpu = threadCpu();
  totals.operations += await work(begun + sliceMs);
  totals.cpu += threadCpu() - cpu;
  totals.seconds += (performance.now() - begun) / 1000;
}

const noTotals = (): Totals => ({ operations: 0, seconds: 0, cpu: 0 });

function openBare(path: string) {
  const zeros = Buffer.alloc(mebibyte);
  const filled = openSync(path, 'w');
  for (let i = 0; i < 32; i += 1) writeSync(filled, zeros);
  fsyncSync(filled);
  closeSync(filled);
  const fd = openSync(path, constants.O_RDWR | constants.O_DSYNC);
  let at = 0;
  return {
    async write(bytes: Buffer, end: number): Promise<number> {
      let writes = 0;
      for (; performance.now() < end; writes += 1) {
        if (at + bytes.length > 32 * mebibyte) at = 0;
        await new Promise((resolve) => {
          write(fd, bytes, 0, bytes.length, at, resolve);
        });
        at += bytes.length;
      }
      return writes;
    },
    close: (): void => closeSync(fd),
  };
}

async function run(name: string, appenders: number, payload: string | Buffer): Promise<void> {
  const dir = mkdtempSync(join(parent, 'journal-bench-'));
  const limits = {
    segmentSize: 32 * mebibyte,
    backlogLimit: 1024 * mebibyte,
    pendingLimit: 64 * mebibyte,
  };
  const journal = await openJournal({ dir, ...limits, onError: raise });
  const bare = openBare(join(dir, 'bare'));
  const reader = setInterval(() => void journal.release(journal.position()).catch(raise), 100);
  const ours = noTotals();
  const theirs = noTotals();
  const append = async (end: number): Promise<number> => {
    let count = 0;
    for (; performance.now() < end; count += 1) await journal.append(payload);
    return count;
  };
  for (let round = 0; round < rounds; round += 1) {
    await runSlice(ours, async (end) =>
      (await Promise.all(Array.from({ length: appenders }, () => append(end)))).reduce(
        (a, b) => a + b,
      ),
    );
    const { bytes, groups } = journal.metrics();
    await runSlice(theirs, (end) => bare.write(Buffer.alloc(Math.round(bytes / groups), 'x'), end));
  }
  clearInterval(reader);
  const { records, groups } = journal.metrics();
  await journal.close();
  bare.close();
  rmSync(dir, { recursive: true });
  const rate = ours.operations / ours.seconds;
  const limit = (theirs.operations / theirs.seconds) * (records / groups);
  console.log(
    [
      name.padEnd(28),
      `${rate.toFixed(0).padStart(7)} records/s`,
      `${(ours.cpu / ours.operations).toFixed(2).padStart(6)} µs of main thread per record`,
      `${(records / groups).toFixed(0).padStart(4)} per group`,
      `bare O_DSYNC ${limit.toFixed(0).padStart(7)} records/s`,
      `ratio ${(rate / limit).toFixed(2)}`,
    ].join('  '),
  );
}

const small = 'x'.repeat(300);
await run('1 appender, 300 B', 1, small);
await run('64 appenders, 300 B', 64, small);
await run('64 appenders, 300 B (Buffer)', 64, Buffer.from(small));
await run('512 appenders, 300 B', 512, small);
await run('16 appenders, 100 KB', 16, 'x'.repeat(100_000));
