import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type IdSet, idKeyBytes, writeIdKey } from '../../../../lib/id-set.ts';
import type { Clock } from '../../../../lib/clock.ts';
import { hourMs } from '../../../../lib/durations.ts';
import type { IdLog } from '../../worker/applier.ts';

const fileName = /^(\d+)(?:-start)?\.ids$/;
/** Ids that are read in one step. */
const idsPerStep = 3000;

/** The files of the folder, the oldest hour first. */
function filesIn(dir: string): { name: string; hour: number }[] {
  return readdirSync(dir)
    .flatMap((name) => {
      const hour = fileName.exec(name)?.[1];
      return hour === undefined ? [] : [{ name, hour: Number(hour) }];
    })
    .sort((a, b) => a.hour - b.hour);
}

/** The file for reading; undefined when it has been removed because its hour is over. */
function openFile(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Makes the names of new files durable. */
function syncFolder(dir: string): void {
  const fd = openSync(dir, 'r');
  fsyncSync(fd);
  closeSync(fd);
}

export interface IdLogOptions {
  dir: string;
  windowMs: number;
  clock: Clock;
  /** Who writes: each has files of its own, for a torn end is cut off when a file is opened. */
  writer?: 'store' | 'start';
}

/**
 * Keeps client-chosen ids in one file for each hour, so that a retry is known also after the
 * journal segment that held the event is gone. Files whose ids are older than `windowMs` are
 * removed.
 */
export function createIdLog({
  dir,
  windowMs,
  clock,
  writer = 'store',
}: IdLogOptions): IdLog & { close: () => void } {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
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
    for (const old of filesIn(dir))
      if ((old.hour + 1) * hourMs < clock.now() - windowMs)
        rmSync(join(dir, old.name), { force: true });
    open = {
      hour,
      fd: openSync(join(dir, `${hour}${writer === 'start' ? '-start' : ''}.ids`), 'a', 0o600),
    };
    const { size } = fstatSync(open.fd);
    // What a crash tore off would put every later entry out of step.
    if (size % idKeyBytes !== 0) ftruncateSync(open.fd, size - (size % idKeyBytes));
    syncFolder(dir);
    return open.fd;
  }

  function write(fd: number): void {
    try {
      for (let done = 0; done < used;) done += writeSync(fd, buffer, done, used - done);
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

/**
 * Takes the ids of an open file into `ids`, some of them in each step. A torn last entry is passed
 * over.
 */
function* loadFile(fd: number, seenAt: number, ids: IdSet): Generator<void> {
  const key = new Uint32Array(idKeyBytes / 4);
  const bytes = Buffer.allocUnsafe(idsPerStep * idKeyBytes);
  for (let position = 0; ;) {
    const whole = readSync(fd, bytes, 0, bytes.length, position);
    const read = whole - (whole % idKeyBytes);
    if (read === 0) return;
    for (let at = 0; at < read; at += idKeyBytes) {
      for (let word = 0; word < key.length; word++) key[word] = bytes.readUInt32LE(at + word * 4);
      ids.restore(key, seenAt);
    }
    position += read;
    yield;
  }
}

/**
 * Reads the ids of the window back into `ids`, the oldest first, in steps of about a millisecond.
 */
export function* loadIds({
  dir,
  windowMs,
  clock,
  ids,
}: {
  dir: string;
  windowMs: number;
  clock: Clock;
  ids: IdSet;
}): Generator<void> {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const { name, hour } of filesIn(dir)) {
    if ((hour + 1) * hourMs < clock.now() - windowMs) continue;
    const fd = openFile(join(dir, name));
    if (fd === undefined) continue;
    try {
      yield* loadFile(fd, (hour + 1) * hourMs, ids);
    } finally {
      closeSync(fd);
    }
  }
}
