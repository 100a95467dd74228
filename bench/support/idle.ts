import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { collectGarbage } from './inspector.ts';
import type { Lifetime } from './lifetime.ts';
import { residentMiB, startProgram } from './processes.ts';

/** A server that is to hold idle sockets. It was started with `--inspect` on `inspectorPort`. */
export interface Holder {
  pid: number;
  port: number;
  path: string;
  hello: string;
  awaited: string;
  inspectorPort: number;
}

export interface Held {
  sockets: number;
  failed: number;
  /**
   * KB (1,000 bytes) of resident memory that one socket adds after garbage was collected on both
   * sides, and before that.
   */
  kilobytesEach: number;
  kilobytesAtOnce: number;
  connectSeconds: number;
  /** Sockets that are still open after `holdMs`. */
  after: number;
}

const countsSchema = z.object({ open: z.number(), failed: z.number() });
const holders = 2;
/** Files that a server may open besides while it holds sockets. */
const reserve = 64;
/** One forced collection may leave what the next one finds. */
const collections = 3;

/**
 * How many sockets a process may hold besides what it has open: the kernel's limit of its files.
 */
export function roomFor(pid: number): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1];
  return Number(limit ?? 0) - readdirSync(`/proc/${pid}/fd`).length - reserve;
}

async function settledMiB({ pid, inspectorPort }: Holder): Promise<number> {
  for (let round = 0; round < collections; round += 1) await collectGarbage(inspectorPort);
  return residentMiB(pid);
}

function startClients(lifetime: Lifetime, { port, path, hello, awaited }: Holder, sockets: number) {
  const shares = Array.from(
    { length: holders },
    (_, index) => Math.floor(sockets / holders) + (index < sockets % holders ? 1 : 0),
  );
  // An address each, so that neither runs out of ports.
  return Promise.all(
    shares.map((share, index) =>
      startProgram(lifetime, 'idle-sockets', [
        String(port),
        path,
        String(share),
        `127.0.0.${index + 2}`,
        hello,
        awaited,
      ]),
    ),
  );
}

const total = (counts: readonly unknown[]) =>
  counts
    .map((each) => countsSchema.parse(each))
    .reduce((a, b) => ({ open: a.open + b.open, failed: a.failed + b.failed }));

/**
 * Opens idle sockets, measures what they take, and looks whether they are still there after
 * `holdMs`.
 */
export async function holdIdle(
  lifetime: Lifetime,
  holder: Holder,
  { sockets, holdMs }: { sockets: number; holdMs: number },
): Promise<Held> {
  const before = await settledMiB(holder);
  const began = performance.now();
  const clients = await startClients(lifetime, holder, sockets);
  const connectSeconds = (performance.now() - began) / 1000;
  const opened = performance.now();
  const { open, failed } = total(clients.map(({ message }) => message));
  const atOnce = residentMiB(holder.pid);
  const after = await settledMiB(holder);
  await delay(Math.max(0, opened + holdMs - performance.now()));
  const still = total(await Promise.all(clients.map(({ ask }) => ask('count'))));
  await Promise.all(clients.map(({ stop }) => stop()));
  const each = (mebibytes: number) => ((mebibytes - before) * 1024 ** 2) / 1000 / open;
  return {
    sockets: open,
    failed,
    kilobytesEach: each(after),
    kilobytesAtOnce: each(atOnce),
    connectSeconds,
    after: still.open,
  };
}
