import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { collectGarbage } from './inspector.ts';
import type { Lifetime } from './lifetime.ts';
import { residentMiB, startProgram } from './processes.ts';

/** The server of idle sockets. It was started with `--inspect` on `inspectorPort`. */
export interface IdleServer {
  pid: number;
  port: number;
  path: string;
  hello: string;
  expectedReply: string;
  inspectorPort: number;
}

export interface IdleResult {
  sockets: number;
  failed: number;
  /**
   * KB (1,000 bytes) of resident memory that one socket adds: measured after a garbage collection
   * before and after opening them, and without the second one.
   */
  kilobytesEach: number;
  kilobytesAtOnce: number;
  connectSeconds: number;
  /** Sockets still open after `holdMs`. */
  after: number;
}

const countsSchema = z.object({ open: z.number(), failed: z.number() });
const clientProcesses = 2;
/** Files that a server may open in addition to the sockets. */
const reserve = 64;
/** One forced collection may leave garbage that the next one finds. */
const collections = 3;

/**
 * Returns how many more sockets a process may open within the kernel's limit of open files.
 */
export function roomFor(pid: number): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))?.[1];
  return Number(limit ?? 0) - readdirSync(`/proc/${pid}/fd`).length - reserve;
}

async function residentAfterCollection({ pid, inspectorPort }: IdleServer): Promise<number> {
  for (let round = 0; round < collections; round += 1) await collectGarbage(inspectorPort);
  return residentMiB(pid);
}

function startClients(
  lifetime: Lifetime,
  { port, path, hello, expectedReply }: IdleServer,
  sockets: number,
) {
  const shares = Array.from(
    { length: clientProcesses },
    (_, index) =>
      Math.floor(sockets / clientProcesses) + (index < sockets % clientProcesses ? 1 : 0),
  );
  // Each has its own local address, so that neither runs out of ports.
  return Promise.all(
    shares.map((share, index) =>
      startProgram(lifetime, 'idle-sockets', [
        String(port),
        path,
        String(share),
        `127.0.0.${index + 2}`,
        hello,
        expectedReply,
      ]),
    ),
  );
}

const total = (counts: readonly unknown[]) =>
  counts
    .map((each) => countsSchema.parse(each))
    .reduce((a, b) => ({ open: a.open + b.open, failed: a.failed + b.failed }));

/**
 * Opens idle sockets, measures their memory, and counts those still open after `holdMs`.
 */
export async function holdIdle(
  lifetime: Lifetime,
  server: IdleServer,
  { sockets, holdMs }: { sockets: number; holdMs: number },
): Promise<IdleResult> {
  const before = await residentAfterCollection(server);
  const began = performance.now();
  const clients = await startClients(lifetime, server, sockets);
  const connectSeconds = (performance.now() - began) / 1000;
  const opened = performance.now();
  const { open, failed } = total(clients.map(({ message }) => message));
  const atOnce = residentMiB(server.pid);
  const after = await residentAfterCollection(server);
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
