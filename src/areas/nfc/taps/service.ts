import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { siteNetwork } from '../../../lib/net/ip.ts';
import { hmacText } from '../../../lib/secrets/signed-ids.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import type { AlarmRaising } from '../alarms/service.ts';
import { nfcErrors } from '../errors.ts';
import type { TagKeys } from '../keys/tag-keys.ts';
import { readTap, type Tap } from '../sdm/read-tap.ts';
import { wasOpened } from '../sdm/tamper.ts';
import type { AlarmKind, TagRow } from '../tables.ts';
import { settingsOf } from '../tags/message-settings.ts';
import { isUidConflict, type TagStore } from '../tags/store.ts';
import { readMirror } from './mirror.ts';

export interface TapsOptions {
  store: TagStore;
  tagKeys: Pick<TagKeys, 'ofTap'>;
  alarms: AlarmRaising;
  keys: Keys;
  clock: Clock;
  logger: Logger;
}

/** A request for the URL of a tag. */
export interface TapRequest {
  code: string;
  /** The query as it was sent, without `?`. */
  query: string;
  /** The client's IP address. */
  address: string | undefined;
}

/** A tap that counted. */
export interface CountedTap {
  tag: TagRow;
  /** `unproven`: the tag has no secure message. */
  result: 'genuine' | 'unproven';
  tap: Tap;
  at: Date;
}

/** Why a genuine message did not count, from the row as it is now. */
function refusalOf(row: TagRow, { uid, counter }: Tap, network: string | undefined): AlarmKind {
  if (uid !== undefined && row.uid !== null && uid !== row.uid) return 'unknown_uid';
  if (counter === undefined || row.last_counter === null || counter > row.last_counter)
    return 'forged';
  const isLast = counter === row.last_counter;
  const isElsewhere =
    network !== undefined && row.last_network !== null && network !== row.last_network;
  return isLast && isElsewhere ? 'cloned' : 'replayed';
}

type Refuse = (kind: AlarmKind, tag: Pick<TagRow, 'id'>) => Promise<never>;

/** Finds tags, and raises alarms about what is refused. */
function createDoor({ store, alarms, logger }: TapsOptions) {
  /** An alarm that cannot be stored changes no answer. */
  const raise = (kind: AlarmKind, tagId: string | null): Promise<void> =>
    alarms.raise({ kind, tagId }).catch((error: unknown) => {
      logger.warn({ err: error, kind }, 'an NFC alarm could not be stored');
    });

  const refuse: Refuse = async (kind, { id }) => {
    await raise(kind, id);
    throw nfcErrors.tap_refused();
  };

  return {
    raise,
    refuse,
    async find(code: string): Promise<TagRow> {
      const tag = await store.findByCode(code);
      if (tag === undefined) {
        await raise('unknown_code', null);
        throw nfcErrors.unknown_code();
      }
      if (!tag.active) throw nfcErrors.inactive();
      return tag;
    },
  };
}

type Door = ReturnType<typeof createDoor>;

/** Takes taps that nothing proves. */
const createUnproven =
  ({ store, clock }: TapsOptions, { refuse }: Door) =>
  async (tag: TagRow, query: string): Promise<CountedTap> => {
    const mirror = tag.mode === 'mirror' ? readMirror(query) : undefined;
    if (tag.mode === 'mirror' && mirror === undefined) {
      if (query !== '') return refuse('forged', tag);
      throw nfcErrors.tap_refused();
    }
    if (mirror !== undefined && tag.uid !== null && tag.uid !== mirror.uid)
      return refuse('unknown_uid', tag);
    const at = new Date(clock.now());
    if (!(await store.countUnproven(tag.id, { at, counter: mirror?.counter })))
      throw nfcErrors.inactive();
    return { tag, result: 'unproven', tap: mirror ?? {}, at };
  };

/** Counts messages whose MAC is right, once each. */
function createCounting({ store, keys, clock }: TapsOptions, door: Door) {
  const networkKey = keys('nfc-networks');

  /** An HMAC, from which the network cannot be read. */
  function networkOf({ id }: TagRow, address: string | undefined): string | undefined {
    const network = siteNetwork(address);
    return network === undefined ? undefined : hmacText(networkKey, `${id} ${network}`);
  }

  return async (tag: TagRow, tap: Tap, address: string | undefined): Promise<CountedTap> => {
    const network = networkOf(tag, address);
    const at = new Date(clock.now());
    const { uid, counter } = tap;
    const { id, key_version: keyVersion, sealed_file_key: fileKey } = tag;
    const counted = await store
      .count({ id, keyVersion, fileKey, counter, uid, network, at })
      .catch((error: unknown) => {
        if (isUidConflict(error)) return door.refuse('unknown_uid', tag);
        throw error;
      });
    if (counted !== undefined) return { tag: counted, result: 'genuine', tap, at };
    const now = await door.find(tag.code);
    return door.refuse(refusalOf(now, tap, network), tag);
  };
}

/** Verifies taps, counts each message once, and raises alarms about the others. */
export function createTaps(options: TapsOptions) {
  const door = createDoor(options);
  const takeUnproven = createUnproven(options, door);
  const count = createCounting(options, door);

  async function takeSigned(
    tag: TagRow,
    { query, address }: Pick<TapRequest, 'query' | 'address'>,
  ): Promise<CountedTap> {
    const settings = settingsOf(tag);
    if (settings === undefined) throw new TypeError('a tag with signed messages has settings');
    // A bare URL is no attack: somebody typed it, or a program made a preview.
    if (query === '') throw nfcErrors.tap_refused();
    const { tap } = readTap(settings, await options.tagKeys.ofTap(tag), query);
    if (tap === undefined) return door.refuse('forged', tag);
    const counted = await count(tag, tap, address);
    if (wasOpened(tap.tamper)) await door.raise('opened', tag.id);
    return counted;
  }

  return {
    /** Throws `nfc.unknown_code` and `nfc.inactive`. Counts nothing. */
    check: async (code: string): Promise<void> => void (await door.find(code)),

    /**
     * Verifies a tap and counts it: of several with one counter, on any replica, a single one.
     * Throws `nfc.unknown_code`, `nfc.inactive`, and `nfc.tap_refused` for everything that is not a
     * new message of the tag, whatever the reason.
     */
    async take({ code, query, address }: TapRequest): Promise<CountedTap> {
      const tag = await door.find(code);
      return tag.mode === 'sun' ? takeSigned(tag, { query, address }) : takeUnproven(tag, query);
    },
  };
}

export type Taps = ReturnType<typeof createTaps>;
