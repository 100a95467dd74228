import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type IdSet, idKeyBytes, writeIdKey } from '../../../lib/id-set.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { IdLog } from './applier.ts';

const hourMs = 3_600_000;
const fileName = /^(\d+)\.ids$/;

function hoursIn(dir: string): number[] {
  return readdirSync(dir)
    .map((name) => fileName.exec(name)?.[1])
    .filter((hour) => hour !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Makes the names of new files durable. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

/**
 * Keeps client-chosen ids in one file for each hour, so that a retry is known also after the journal segment that
 * held the event is gone. Files whose ids are older than `windowMs` are removed.
 */
export function createIdLog({ dir, windowMs, clock }: { dir: string; windowMs: number; clock: Clock }): IdLog & { close: () => void } {
  mkdirSync(dir, { recursive: true });
  const key = new Uint32Array(idKeyBytes / 4);
  let buffer = Buffer.allocUnsafe(5000 * idKeyBytes);
  let used = 0;
  let open: { hour: number; fd: number } | undefined;

  function close(): void {
    if (open !== undefined) closeSync(open.fd);
    open = undefined;
  }

  function descriptor(): number {
    const hour = Math.floor(clock.now() / hourMs);
    if (open?.hour === hour) return open.fd;
    close();
    for (const old of hoursIn(dir)) if ((old + 1) * hourMs < clock.now() - windowMs) rmSync(join(dir, `${old}.ids`));
    open = { hour, fd: openSync(join(dir, `${hour}.ids`), 'a') };
    const { size } = fstatSync(open.fd);
    // What a crash tore off would put every later entry out of step.
    if (size % idKeyBytes !== 0) ftruncateSync(open.fd, size - (size % idKeyBytes));
    syncFolder(dir);
    return open.fd;
  }

  function write(fd: number): void {
    try {
      for (let done = 0; done < used; ) done += writeSync(fd, buffer, done, used - done);
      fsyncSync(fd);
    } catch (error) {
      close();
      throw error;
    }
  }

  return {
    add(siteId, id): void {
      writeIdKey(key, siteId, id);
      if (used + idKeyBytes > buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
      for (const [word, value] of key.entries()) buffer.writeUInt32LE(value, used + word * 4);
      used += idKeyBytes;
    },
    sync(): void {
      if (used === 0) return;
      write(descriptor());
      used = 0;
    },
    close,
  };
}

/** Reads the ids of the window back into `ids`, the oldest first. A torn last entry is passed over. */
export function loadIds({ dir, windowMs, clock, ids }: { dir: string; windowMs: number; clock: Clock; ids: IdSet }): number {
  mkdirSync(dir, { recursive: true });
  const key = new Uint32Array(idKeyBytes / 4);
  let loaded = 0;
  for (const hour of hoursIn(dir)) {
    if ((hour + 1) * hourMs < clock.now() - windowMs) continue;
    const bytes = readFileSync(join(dir, `${hour}.ids`));
    for (let at = 0; at + idKeyBytes <= bytes.length; at += idKeyBytes) {
      for (let word = 0; word < key.length; word++) key[word] = bytes.readUInt32LE(at + word * 4);
      ids.add(key, (hour + 1) * hourMs);
      loaded += 1;
    }
  }
  return loaded;
}
