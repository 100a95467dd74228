import { closeSync, constants, fsyncSync, mkdtempSync, openSync, readFileSync, rmSync, write, writeSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { openJournal } from '../src/platform/journal/journal.ts';

/**
 * Appends to a journal from many appenders at once, each waiting for its record to be durable before the next, and
 * compares with bare O_DSYNC writes of the same number and size to a file of zeros in the same run.
 *
 * npx esbuild bench/journal.ts --bundle --platform=node --format=esm --outfile=/tmp/journal-bench.mjs && node /tmp/journal-bench.mjs [folder]
 */
const parent = process.argv[2] ?? '.';
const milliseconds = 4000;

/** CPU time of the calling thread, user and system, in microseconds. Linux only. */
const threadCpu = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1000;
const mebibyte = 1024 ** 2;

interface Figures {
  name: string;
  groups: number;
  recordsPerSecond: number;
  recordsPerGroup: number;
  /** CPU time of this thread only. */
  microsecondsPerRecord: number;
  bytesPerGroup: number;
}

async function journalRun(name: string, appenders: number, payload: string | Buffer): Promise<Figures> {
  const dir = mkdtempSync(join(parent, 'journal-bench-'));
  const fail = (error: unknown): void => {
    throw error instanceof Error ? error : new Error(String(error));
  };
  const journal = await openJournal({ dir, segmentSize: 32 * mebibyte, backlogLimit: 1024 * mebibyte, pendingLimit: 64 * mebibyte, onError: fail });
  const reader = setInterval(() => void journal.release(journal.position()), 100);
  const end = performance.now() + milliseconds;
  const appender = async (): Promise<void> => {
    while (performance.now() < end) await journal.append(payload);
  };
  const begun = performance.now();
  const cpu = threadCpu();
  await Promise.all(Array.from({ length: appenders }, appender));
  const seconds = (performance.now() - begun) / 1000;
  const busy = threadCpu() - cpu;
  const { groups, records, bytes } = journal.metrics();
  clearInterval(reader);
  await journal.close();
  rmSync(dir, { recursive: true });
  return {
    name, groups,
    recordsPerSecond: Math.round(records / seconds),
    recordsPerGroup: Math.round(records / groups),
    microsecondsPerRecord: busy / records,
    bytesPerGroup: Math.round(bytes / groups),
  };
}

/** Writes as the journal would: the same bytes, again and again, one write at a time, nothing else. */
async function bareRun(size: number): Promise<number> {
  const dir = mkdtempSync(join(parent, 'journal-bench-'));
  const path = join(dir, 'bare');
  const zeros = Buffer.alloc(mebibyte);
  const filled = openSync(path, 'w');
  for (let i = 0; i < 32; i += 1) writeSync(filled, zeros);
  fsyncSync(filled);
  closeSync(filled);
  const fd = openSync(path, constants.O_RDWR | constants.O_DSYNC);
  const bytes = Buffer.alloc(size, 'x');
  const end = performance.now() + milliseconds / 2;
  const begun = performance.now();
  let writes = 0;
  for (let at = 0; performance.now() < end; at = at + 2 * size > 32 * mebibyte ? 0 : at + size) {
    await new Promise((resolve) => { write(fd, bytes, 0, size, at, resolve); });
    writes += 1;
  }
  const seconds = (performance.now() - begun) / 1000;
  closeSync(fd);
  rmSync(dir, { recursive: true });
  return writes / seconds;
}

const small = 'x'.repeat(300);
const runs: [string, number, string | Buffer][] = [
  ['1 appender, 300 B', 1, small],
  ['64 appenders, 300 B', 64, small],
  ['512 appenders, 300 B', 512, small],
  ['64 appenders, 300 B Buffer', 64, Buffer.from(small)],
  ['16 appenders, 100 KB', 16, 'x'.repeat(100_000)],
];
for (const run of runs) {
  const figures = await journalRun(...run);
  const limit = await bareRun(figures.bytesPerGroup);
  const bare = Math.round(limit * figures.recordsPerGroup);
  console.log(
    `${figures.name.padEnd(28)} ${String(figures.recordsPerSecond).padStart(8)} records/s  ${figures.microsecondsPerRecord.toFixed(2).padStart(6)} µs main thread a record` +
    `  ${String(figures.recordsPerGroup).padStart(4)} a group  bare O_DSYNC ${String(bare).padStart(8)} records/s  ratio ${(figures.recordsPerSecond / bare).toFixed(2)}`,
  );
}
