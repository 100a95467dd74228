import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { storedUrl } from '../../../lib/net/public-url.ts';
import type { Bus } from '../../../platform/bus/bus.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Resources } from '../../../platform/resources.ts';
import { devices } from '../tables.ts';

const Rules = z.array(
  z.object({
    device: z.enum(devices).optional(),
    country: z.string().optional(),
    language: z.string().optional(),
    // Those from before targets were normalized, too.
    url: z.string().overwrite(storedUrl),
  }),
);

const columns = [
  'id',
  'code',
  'url',
  'site_id',
  'active',
  'starts_at',
  'expires_at',
  'expired_url',
  'scan_limit',
  'scans_used',
  'password',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'forward_query',
  'rules',
] as const;

async function readCode(db: Database, code: string) {
  const row = await db
    .selectFrom('qr_codes')
    .select(columns)
    .where('code', '=', code)
    .where('dynamic', '=', true)
    .executeTakeFirst();
  if (row?.url == null) return null;
  return {
    ...row,
    url: storedUrl(row.url),
    expired_url: row.expired_url === null ? null : storedUrl(row.expired_url),
    rules: Rules.parse(row.rules),
  };
}

/** A code with a short link, as scans need it. */
export type ScannedCode = NonNullable<Awaited<ReturnType<typeof readCode>>>;

interface Known {
  code: ScannedCode | null;
  readAt: number;
}

const maxKnown = 20_000;
/** How long a code counts as it was read, in ms: signals of changes may get lost. */
const freshMs = 30_000;

const changeSignal = 'qr_code_changed';

/**
 * Finds codes by what follows `/q/`. Codes are remembered, also unknown ones, so that scans rarely
 * ask the database; while it is away, remembered ones keep working.
 */
export function createCodeLookup({
  db,
  logger,
  clock,
  bus,
}: Pick<Resources, 'db' | 'logger' | 'clock'> & {
  bus: Pick<Bus, 'listen' | 'signal' | 'onSignal'>;
}) {
  const known = new LRUCache<string, Known>({ max: maxKnown });
  const reading = new Map<string, Promise<ScannedCode | null>>();
  bus.onSignal(changeSignal, forget);
  return {
    find,
    forget,
    /** Makes every replica forget a code that was changed. */
    changed: (text: string): void => bus.signal(changeSignal, text),
  };

  /** Returns null for an unknown code. Rejects when the database is away and it is not known. */
  async function find(text: string): Promise<ScannedCode | null> {
    bus.listen();
    const found = known.get(text);
    if (found !== undefined && clock.now() - found.readAt < freshMs) return found.code;
    try {
      return await read(text);
    } catch (err) {
      if (found === undefined) throw err;
      logger.warn({ err }, 'a QR code could not be read again, and works as it was');
      return found.code;
    }
  }

  /** Forgets a code that was changed; all of them if it is undefined. */
  function forget(text: string | undefined): void {
    // What is being read may be older than the change.
    if (text === undefined) {
      known.clear();
      reading.clear();
    } else {
      known.delete(text);
      reading.delete(text);
    }
  }

  /** Several scans of one code share one query. */
  function read(text: string): Promise<ScannedCode | null> {
    const current = reading.get(text);
    if (current !== undefined) return current;
    const started = readCode(db, text)
      .then((code) => {
        // Not if the code was changed meanwhile.
        if (reading.get(text) === started) known.set(text, { code, readAt: clock.now() });
        return code;
      })
      .finally(() => {
        if (reading.get(text) === started) reading.delete(text);
      });
    reading.set(text, started);
    return started;
  }
}

export type CodeLookup = ReturnType<typeof createCodeLookup>;
