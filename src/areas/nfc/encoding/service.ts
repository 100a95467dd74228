import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import type { Audit } from '../../audit/service.ts';
import { chips } from '../chips.ts';
import { nfcErrors } from '../errors.ts';
import type { ChipKeys, TagKeys } from '../keys/tag-keys.ts';
import type { EncodingView } from '../schemas.ts';
import { settingsOf } from '../tags/message-settings.ts';
import { tagUrl } from '../tags/service.ts';
import type { TagRow } from '../tables.ts';
import type { TagStore } from '../tags/store.ts';
import { encodingSheet, keyNumbers, type Sheet } from './sheet.ts';

export interface EncodingOptions {
  db: Database;
  clock: Clock;
  store: Pick<TagStore, 'find'>;
  tagKeys: Pick<TagKeys, 'ofChip'>;
  audit: Pick<Audit, 'recordIn'>;
  baseUrl: string;
}

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
const hexOrNull = (bytes: Buffer | undefined) => (bytes === undefined ? null : hex(bytes));

const target = ({ id }: TagRow) => ({ kind: 'nfc_tag', id });

const keysView = (row: TagRow, { application, file, meta }: ChipKeys) => ({
  version: row.key_version,
  application: hexOrNull(application),
  file: hexOrNull(file),
  meta: hexOrNull(meta),
});

/** The sheet of a stored tag. Throws `nfc.url_too_long`. */
function sheetOf(row: TagRow, baseUrl: string): Sheet {
  const { chip, mode, code } = row;
  const url = tagUrl(baseUrl, code);
  const sheet = encodingSheet({ chip, mode, settings: settingsOf(row), url });
  if (sheet === undefined) throw nfcErrors.url_too_long();
  return sheet;
}

function viewOf({ chip, mode }: TagRow, sheet: Sheet, keys: EncodingView['keys']): EncodingView {
  const { file_settings: file, mirror_settings: mirror } = sheet;
  return {
    url: sheet.url,
    chip,
    mode,
    message: hex(sheet.message),
    memory: hex(sheet.memory),
    file_settings: file ?? null,
    mirror_settings: mirror ?? null,
    key_numbers: file === undefined ? null : keyNumbers,
    keys,
  };
}

/** How tags are encoded. */
export function createEncoding({ db, clock, store, tagKeys, audit, baseUrl }: EncodingOptions) {
  async function find(id: string): Promise<TagRow> {
    const row = await store.find(id);
    if (row === undefined) throw nfcErrors.tag_not_found();
    return row;
  }

  return {
    /** The NDEF message of a tag. Throws `nfc.tag_not_found`, `nfc.url_too_long`. */
    async ndef(id: string): Promise<Sheet & { capacity: number }> {
      const row = await find(id);
      return { ...sheetOf(row, baseUrl), capacity: chips[row.chip].capacity };
    },

    /** How to encode a tag, without its keys. Throws `nfc.tag_not_found`, `nfc.url_too_long`. */
    async sheet(id: string): Promise<EncodingView> {
      const row = await find(id);
      return viewOf(row, sheetOf(row, baseUrl), null);
    },

    /**
     * Like `sheet`, with the keys. `uid` is that of the chip, for a tag that has none yet. Records
     * in the audit log who saw them. Throws `nfc.tag_not_found`, `nfc.not_sun`,
     * `nfc.url_too_long`, `auth.step_up_required`.
     */
    async sheetWithKeys(
      id: string,
      { uid, by }: { uid: string | undefined; by: RequestActor },
    ): Promise<EncodingView> {
      requireFresh(by, clock.now());
      const row = await find(id);
      if (row.mode !== 'sun') throw nfcErrors.not_sun();
      const keys = await tagKeys.ofChip({ ...row, uid: row.uid ?? uid ?? null });
      const view = viewOf(row, sheetOf(row, baseUrl), keysView(row, keys));
      await audit.recordIn(db, [{ ...by, action: 'nfc.keys_shown', target: target(row) }]);
      return view;
    },
  };
}

export type Encoding = ReturnType<typeof createEncoding>;
