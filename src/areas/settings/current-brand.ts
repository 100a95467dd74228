import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Brand,
  type BrandDefaults,
  type BrandLogo,
  brandOf,
  type SavedBrand,
} from '../../platform/brand/brand.ts';
import type { Resources } from '../../platform/resources.ts';
import { SavedBrandMembers } from './schemas.ts';
import { readGroup, type StoredGroup } from './store.ts';

export const brandGroup = 'brand';
/** Tells replicas that a group of settings was changed. Its name is the message. */
export const changeSignal = 'settings';
/** How often a replica looks for changes of which it got no signal. */
export const refreshMs = 5000;

/** Reads what is stored. What is missing is as the environment says. */
export function savedBrandOf(value: unknown): SavedBrand {
  const { data } = SavedBrandMembers.partial().safeParse(value);
  return {
    name: data?.name ?? null,
    accent: data?.accent ?? null,
    contact_email: data?.contact_email ?? null,
    legal_name: data?.legal_name ?? null,
    legal_address: data?.legal_address ?? null,
    footer_text: data?.footer_text ?? null,
    footer_links: data?.footer_links ?? [],
  };
}

/** The size of a PNG, from its header. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) });

const logoOf = (png: Buffer): BrandLogo => ({
  png,
  ...sizeOf(png),
  version: createHash('sha256').update(png).digest('hex').slice(0, 8),
});

/**
 * The brand as this replica knows it. It is read at the start, after each change on any replica,
 * and every few seconds. While the store is down the last one stays; before the first reading it is
 * the environment's.
 */
export function createCurrentBrand(
  defaults: BrandDefaults,
  { db, bus, logger }: Pick<Resources, 'db' | 'bus' | 'logger'>,
) {
  let current = brandOf(defaults);
  let known: StoredGroup | undefined;
  let timer: NodeJS.Timeout | undefined;

  bus.onSignal(changeSignal, (group) => {
    if (group === undefined || group === brandGroup) void refresh();
  });
  return {
    brand: (): Brand => current,
    refresh,
    /** Makes it another object, for what pages show besides the brand. */
    renew(): void {
      current = { ...current };
    },
    /** Reads the brand now, and tells the other replicas to do so. */
    async announce(): Promise<void> {
      await refresh();
      bus.signal(changeSignal, brandGroup);
    },
    start(): void {
      timer = setInterval(() => void refresh(), refreshMs).unref();
    },
    stop: (): void => clearInterval(timer),
  };

  /** Reads the brand. Logs a failure, and keeps what is known. */
  async function refresh(): Promise<void> {
    try {
      const stored = await readGroup(db, brandGroup);
      if (isDeepStrictEqual(stored, known)) return;
      known = stored;
      const picture = stored?.picture ?? undefined;
      current = brandOf(defaults, savedBrandOf(stored?.value), picture && logoOf(picture));
    } catch (error) {
      logger.warn({ err: error }, 'the brand could not be read');
    }
  }
}

export type CurrentBrand = ReturnType<typeof createCurrentBrand>;
