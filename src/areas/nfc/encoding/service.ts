import type { Clock } from '../../../lib/clock.ts';
import type { Seal } from '../../../lib/secrets/seal.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import type { Audit } from '../../audit/service.ts';
import { chips } from '../chips.ts';
import { nfcErrors } from '../errors.ts';
import type { MasterKeys } from '../keys/master-keys.ts';
import type { ChipKeys, TagKeys } from '../keys/tag-keys.ts';
import type { EncodingView, ReencodeBody } from '../schemas.ts';
import { newSettings, settingsOf } from '../tags/message-settings.ts';
import { checkGivenKeys, checkTag } from '../tags/rules.ts';
import { tagUrl } from '../tags/service.ts';
import type { TagRow } from '../tables.ts';
import type { TagStore } from '../tags/store.ts';
import { encodingSheet, keyNumbers, type Sheet } from './sheet.ts';

export interface EncodingOptions {
  db: Database;
  clock: Clock;
  store: Pick<TagStore, 'find' | 'reencode'>;
  masterKeys: Pick<MasterKeys, 'current'>;
  tagKeys: TagKeys;
  seal: Seal;
  audit: Pick<Audit, 'recordIn'>;
  baseUrl: string;
  baseOrigin: string;
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

/** The columns of new keys. Throws `nfc.keys_unchanged` if old messages would count again. */
async function newKeys(
  row: TagRow,
  body: ReencodeBody,
  { masterKeys, tagKeys, seal }: EncodingOptions,
) {
  const wasTapped = row.taps > 0;
  if (row.key_source === 'derived') {
    const version = await masterKeys.current();
    if (wasTapped && version === row.key_version) throw nfcErrors.keys_unchanged();
    return { key_version: version };
  }
  const { file } = await tagKeys.ofChip(row);
  const isSame = file !== undefined && hex(file) === body.file_key;
  if (wasTapped && isSame) throw nfcErrors.keys_unchanged();
  return {
    sealed_meta_key: body.meta_key === undefined ? null : seal.seal(body.meta_key),
    sealed_file_key: body.file_key === undefined ? null : seal.seal(body.file_key),
  };
}

/** How tags are encoded, and encoded again. */
export function createEncoding(options: EncodingOptions) {
  const { db, clock, store, tagKeys, audit, baseUrl, baseOrigin } = options;

  async function find(id: string): Promise<TagRow> {
    const row = await store.find(id);
    if (row === undefined) throw nfcErrors.tag_not_found();
    return row;
  }

  function sheetOf(row: TagRow): Sheet {
    const { chip, mode, code } = row;
    const url = tagUrl(baseUrl, code);
    const sheet = encodingSheet({ chip, mode, settings: settingsOf(row), url });
    if (sheet === undefined)
      throw new RequestValidationError([
        valueError(['path', 'id'], `the URL of this tag does not fit its chip`),
      ]);
    return sheet;
  }

  function viewOf(row: TagRow, keys: EncodingView['keys']): EncodingView {
    const sheet = sheetOf(row);
    const { file_settings: file, mirror_settings: mirror } = sheet;
    return {
      url: sheet.url,
      chip: row.chip,
      mode: row.mode,
      message: hex(sheet.message),
      memory: hex(sheet.memory),
      file_settings: file ?? null,
      mirror_settings: mirror ?? null,
      key_numbers: file === undefined ? null : keyNumbers,
      keys,
    };
  }

  return {
    /** The NDEF message of a tag. Throws `nfc.tag_not_found`. */
    async ndef(id: string): Promise<Sheet & { capacity: number }> {
      const row = await find(id);
      return { ...sheetOf(row), capacity: chips[row.chip].capacity };
    },

    /** How to encode a tag, without its keys. Throws `nfc.tag_not_found`. */
    sheet: async (id: string): Promise<EncodingView> => viewOf(await find(id), null),

    /**
     * Like `sheet`, with the keys. `uid` is that of the chip, for a tag that has none yet. Records
     * in the audit log who saw them. Throws `nfc.tag_not_found`, `nfc.not_sun`.
     */
    async sheetWithKeys(
      id: string,
      { uid, by }: { uid: string | undefined; by: RequestActor },
    ): Promise<EncodingView> {
      const row = await find(id);
      if (row.mode !== 'sun') throw nfcErrors.not_sun();
      const keys = await tagKeys.ofChip({ ...row, uid: row.uid ?? uid ?? null });
      const view = viewOf(row, keysView(row, keys));
      await audit.recordIn(db, [{ ...by, action: 'nfc.keys_shown', target: target(row) }]);
      return view;
    },

    /**
     * Notes that a chip gets new keys, and possibly other settings and another UID, and starts its
     * counter again. Throws `nfc.tag_not_found`, `nfc.not_sun`, `nfc.keys_unchanged`,
     * `nfc.uid_taken` and a RequestValidationError.
     */
    async reencode(id: string, body: ReencodeBody, by: RequestActor): Promise<void> {
      const row = await find(id);
      const before = settingsOf(row);
      if (before === undefined || row.key_source === null) throw nfcErrors.not_sun();
      const settings = newSettings(row.chip, { ...before, ...body });
      const uid = body.uid ?? row.uid;
      checkTag({ ...row, uid, settings }, baseOrigin);
      checkGivenKeys(body, row.key_source, settings);
      const columns = await newKeys(row, body, options);
      const { parameters, ...others } = settings;
      await db.transaction().execute(async (transaction) => {
        const isDone = await store.reencode(transaction, row, {
          ...others,
          ...columns,
          parameters: JSON.stringify(parameters),
          uid,
          updated_at: new Date(clock.now()),
        });
        if (!isDone) throw nfcErrors.tag_changed();
        await audit.recordIn(transaction, [
          { ...by, action: 'nfc.tag_reencoded', target: target(row) },
        ]);
      });
    },
  };
}

export type Encoding = ReturnType<typeof createEncoding>;
