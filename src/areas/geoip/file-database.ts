import { readFile, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { Reader } from 'mmdb-lib';
import type { z } from 'zod';
import { minuteMs } from '../../lib/durations.ts';
import { isSystemError } from '../../lib/system-errors.ts';
import type { Resources } from '../../platform/resources.ts';

interface Expected<Schema extends z.ZodType = z.ZodType> {
  /** The setting that names the file. */
  setting: 'GEOIP_CITY_FILE' | 'GEOIP_ASN_FILE';
  /** Types of databases that fit, as their metadata name them. */
  type: RegExp;
  /** An example of a database that fits, for messages. */
  example: string;
  schema: Schema;
}

/** A database in a file that the operator provides and replaces at any time. */
export interface FileDatabase<Entry> {
  /** The type in the metadata of the file, such as `GeoLite2-City`. */
  name: () => string;
  /** Returns the record of an address, undefined without one. Never throws. */
  find: (address: string) => Entry | undefined;
  /** Resolves once a reload that a lookup started has ended. */
  settled: () => Promise<void>;
}

type Rows = Reader<Record<string, unknown>>;

const checkEveryMs = minuteMs;
// Looked up when a file is opened, so that one that is cut off is refused.
const probes = ['1.1.1.1', '8.8.8.8', '193.99.144.80', '223.255.254.1', '2001:4860:4860::8888'];

/** An address of version 6 is not in a tree of version 4, where the walk would find another one. */
const canHold = ({ metadata }: Rows, address: string): boolean =>
  metadata.ipVersion === 6 || isIP(address) === 4;

function parse(content: Buffer): Rows {
  try {
    const rows: Rows = new Reader(content);
    const { searchTreeSize, nodeCount } = rows.metadata;
    if (!(nodeCount > 0) || searchTreeSize >= content.length) throw new Error('cut off');
    for (const address of probes) if (canHold(rows, address)) rows.get(address);
    return rows;
  } catch {
    throw new Error('is not a MaxMind database (.mmdb), or is damaged');
  }
}

function readerOf(content: Buffer, { type, example }: Expected): Rows {
  const rows = parse(content);
  const { databaseType } = rows.metadata;
  if (typeof databaseType !== 'string' || !type.test(databaseType))
    throw new Error(`holds another kind of data; it needs a database such as ${example}`);
  return rows;
}

/** What is wrong with the file, for the log and for the error at the start. */
function reasonOf(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : 'cannot be read';
  return error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`;
}

/** Changes whenever the file is replaced or written. */
async function versionOf(file: string): Promise<string> {
  const { mtimeMs, size, ino } = await stat(file);
  return [mtimeMs, size, ino].join(' ');
}

/**
 * Opens the file, and throws an error that names the setting when it can't be used; undefined when
 * the setting names none. At most once a minute, a lookup starts to check in the background whether
 * the file was replaced. A new file that can't be used is logged, and the previous one stays in
 * use.
 */
export async function openFileDatabase<Schema extends z.ZodType>(
  { config, clock, logger }: Pick<Resources, 'config' | 'clock' | 'logger'>,
  expected: Expected<Schema>,
): Promise<FileDatabase<z.output<Schema>> | undefined> {
  const { setting, schema } = expected;
  const file = config[setting];
  if (file === undefined) return undefined;
  const load = async () => {
    // Taken first: a file that is replaced while it is read counts as changed at the next check.
    const version = await versionOf(file);
    return { version, rows: readerOf(await readFile(file), expected) };
  };
  let { version, rows } = await load().catch((error: unknown) => {
    throw new Error(`${setting}: the file ${file} ${reasonOf(error)}.`);
  });
  let checkedAt = clock.now();
  let checking: Promise<void> = Promise.resolve();

  const reload = async (): Promise<void> => {
    try {
      const current = await versionOf(file);
      if (current === version) return;
      version = current;
      ({ version, rows } = await load());
      logger.info({ setting, type: rows.metadata.databaseType }, 'a GeoIP file was read again');
    } catch (error) {
      logger.warn(
        { setting, reason: reasonOf(error) },
        'a GeoIP file was replaced by one that cannot be used; the previous data stays in use',
      );
    }
  };

  return {
    name: () => rows.metadata.databaseType,
    find(address) {
      if (clock.now() - checkedAt >= checkEveryMs) {
        checkedAt = clock.now();
        checking = checking.then(reload);
      }
      if (!canHold(rows, address)) return undefined;
      try {
        return schema.safeParse(rows.get(address)).data;
      } catch {
        return undefined;
      }
    },
    settled: () => checking,
  };
}
