import { siteNetwork } from '../../../lib/net/ip.ts';
import { hmacText } from '../../../lib/secrets/signed-ids.ts';
import type { LinkRequest } from '../../analytics/ingest/link-events.ts';
import { createAlarmRaiser } from '../alarms/service.ts';
import type { NfcParts } from '../compose.ts';
import { nfcErrors } from '../errors.ts';
import { readTap, type Tap } from '../sdm/read-tap.ts';
import { wasOpened } from '../sdm/tamper.ts';
import type { AlarmKind, TagRow } from '../tables.ts';
import { settingsOf } from '../tags/message-settings.ts';
import { tagUrl } from '../tags/service.ts';
import { isUidConflict } from '../tags/store.ts';
import { readMirror } from './mirror.ts';

/** The event of a tap that counted. */
export const tapEvent = 'nfc_tap';

/** A tap that counted. */
export interface CountedTap {
  tag: TagRow;
  /** `unproven`: the tag has no secure message. */
  result: 'genuine' | 'unproven';
  tap: Tap;
  at: Date;
}

/** Verifies taps, counts each message once, and raises alarms about the others. */
export function createTaps(parts: NfcParts) {
  const { store, tagKeys, recordLinkEvent, keys, clock, logger, baseUrl, baseOrigin } = parts;
  const alarms = createAlarmRaiser(parts);
  const networkKey = keys('nfc-networks');
  // The site of tags from before tags had one.
  const ownSite = new URL(baseOrigin).hostname;
  return { check, take };

  /** Throws `nfc.unknown_code` and `nfc.inactive`. Counts nothing. */
  async function check(code: string): Promise<void> {
    await find(code);
  }

  /**
   * Verifies a tap and counts it: of several with one counter, on any replica, a single one.
   * `query` is the query of the request as it was sent, without `?`. Resolves once the event of the
   * tap is on disk. Throws `nfc.unknown_code`, `nfc.inactive`, and `nfc.tap_refused` for everything
   * that is not a new message of the tag, whatever the reason.
   */
  async function take(request: LinkRequest, code: string, query: string): Promise<CountedTap> {
    const tag = await find(code);
    const counted =
      tag.mode === 'sun'
        ? await takeSigned(tag, query, request.ip)
        : await takeUnproven(tag, query);
    await recordLinkEvent(request, {
      event: tapEvent,
      url: tagUrl(baseUrl, code),
      site_id: counted.tag.site_id ?? ownSite,
      tag: code,
      props: { result: counted.result },
    });
    return counted;
  }

  async function find(code: string): Promise<TagRow> {
    const tag = await store.findByCode(code);
    if (tag === undefined) {
      await raise('unknown_code', null);
      throw nfcErrors.unknown_code();
    }
    if (!tag.active) throw nfcErrors.inactive();
    return tag;
  }

  async function takeSigned(tag: TagRow, query: string, address: string): Promise<CountedTap> {
    const settings = settingsOf(tag);
    if (settings === undefined) throw new TypeError('a tag with signed messages has settings');
    // A bare URL is no attack: someone typed it, or a program made a preview.
    if (query === '') throw nfcErrors.tap_refused();
    const { tap } = readTap(settings, await tagKeys.ofTap(tag), query);
    if (tap === undefined) return refuse('forged', tag);
    const counted = await count(tag, tap, address);
    if (wasOpened(tap.tamper)) await raise('opened', tag.id);
    return counted;
  }

  /** Counts a message whose MAC is right, once. */
  async function count(tag: TagRow, tap: Tap, address: string): Promise<CountedTap> {
    const network = networkOf(tag, address);
    const at = new Date(clock.now());
    const { uid, counter } = tap;
    const { id, key_version: keyVersion, sealed_file_key: fileKey } = tag;
    const counted = await store
      .count({ id, keyVersion, fileKey, counter, uid, network, at })
      .catch((error: unknown) => {
        if (isUidConflict(error)) return refuse('unknown_uid', tag);
        throw error;
      });
    if (counted !== undefined) return { tag: counted, result: 'genuine', tap, at };
    const now = await find(tag.code);
    return refuse(refusalOf(now, tap, network), tag);
  }

  /** Takes a tap that nothing proves. */
  async function takeUnproven(tag: TagRow, query: string): Promise<CountedTap> {
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
  }

  async function refuse(kind: AlarmKind, { id }: TagRow): Promise<never> {
    await raise(kind, id);
    throw nfcErrors.tap_refused();
  }

  /** An alarm that cannot be stored changes no response. */
  function raise(kind: AlarmKind, tagId: string | null): Promise<void> {
    return alarms.raise({ kind, tagId }).catch((error: unknown) => {
      logger.warn({ err: error, kind }, 'an NFC alarm could not be stored');
    });
  }

  /** An HMAC, from which the network cannot be read. */
  function networkOf({ id }: TagRow, address: string): string | undefined {
    const network = siteNetwork(address);
    return network === undefined ? undefined : hmacText(networkKey, `${id} ${network}`);
  }
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
