import { AppError } from '../../../platform/errors/errors.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import { chips } from '../chips.ts';
import type { NfcParts } from '../compose.ts';
import { nfcErrors } from '../errors.ts';
import type { ChipKeys } from '../keys/tag-keys.ts';
import type { EncodingView, ReencodeBody } from '../schemas.ts';
import type { MessageSettings } from '../sdm/settings.ts';
import type { TagRow } from '../tables.ts';
import { newSettings, settingsOf } from '../tags/message-settings.ts';
import { checkFit, checkGivenKeys, checkTag } from '../tags/rules.ts';
import { tagUrl } from '../tags/service.ts';
import { isUidConflict } from '../tags/store.ts';
import { encodingSheet, keyNumbers, type Sheet } from '../sheet.ts';

/** How tags are encoded, and encoded again. All throw `nfc.tag_not_found`. */
export function createEncoding(parts: NfcParts) {
  const { db, clock, store, masterKeys, tagKeys, seal, audit, baseUrl, baseOrigin } = parts;
  return { ndef, sheet, sheetWithKeys, reencode };

  /** The NDEF message of a tag. Throws `nfc.url_too_long`. */
  async function ndef(id: string): Promise<Sheet & { capacity: number }> {
    const row = await store.get(id);
    return { ...sheetOf(row), capacity: chips[row.chip].capacity };
  }

  /** How to encode a tag, without its keys. Throws `nfc.url_too_long`. */
  async function sheet(id: string): Promise<EncodingView> {
    const row = await store.get(id);
    return viewOf(row, sheetOf(row), null);
  }

  /**
   * Like `sheet`, with the keys. `uid` is that of the chip, for a tag that has none yet. Records
   * in the audit log who saw them. Throws `nfc.not_sun`, `nfc.url_too_long`,
   * `auth.step_up_required`.
   */
  async function sheetWithKeys(
    id: string,
    { uid, by }: { uid: string | undefined; by: RequestActor },
  ): Promise<EncodingView> {
    requireFresh(by, clock.now());
    const row = await store.get(id);
    if (row.mode !== 'sun') throw nfcErrors.not_sun();
    const keys = await tagKeys.ofChip({ ...row, uid: row.uid ?? uid ?? null });
    const view = viewOf(row, sheetOf(row), keysView(row, keys));
    const target = { kind: 'nfc_tag', id: row.id };
    await audit.recordIn(db, [{ ...by, action: 'nfc.keys_shown', target }]);
    return view;
  }

  /**
   * Notes that a chip gets new keys, and possibly other settings and a different UID, and starts
   * its counter again. Throws `nfc.not_sun`, `nfc.keys_unchanged`, `nfc.tag_changed`,
   * `nfc.uid_taken`, `auth.step_up_required` and a RequestValidationError.
   */
  async function reencode(id: string, body: ReencodeBody, by: RequestActor): Promise<void> {
    requireFresh(by, clock.now());
    const row = await store.get(id);
    const before = settingsOf(row);
    if (before === undefined || row.key_source === null) throw nfcErrors.not_sun();
    const settings = changedSettings(row, before, body);
    const uid = body.uid ?? row.uid;
    checkTag({ ...row, uid, settings }, baseOrigin);
    checkGivenKeys(body, row.key_source, settings);
    checkFit({ ...row, settings, url: tagUrl(baseUrl, row.code) });
    const keys = await newKeys(row, body);
    const parameters = JSON.stringify(settings.parameters);
    const changes = { ...settings, ...keys, parameters, uid, updated_at: new Date(clock.now()) };
    const target = { kind: 'nfc_tag', id };
    await db
      .transaction()
      .execute(async (transaction) => {
        if (!(await store.reencode(transaction, row, changes))) throw nfcErrors.tag_changed();
        await audit.recordIn(transaction, [{ ...by, action: 'nfc.tag_reencoded', target }]);
      })
      .catch((error: unknown) => {
        throw isUidConflict(error) ? nfcErrors.uid_taken() : error;
      });
  }

  function sheetOf(row: TagRow): Sheet {
    const { chip, mode, code } = row;
    const url = tagUrl(baseUrl, code);
    const found = encodingSheet({ chip, mode, settings: settingsOf(row), url });
    if (found === undefined) throw nfcErrors.url_too_long();
    return found;
  }

  /** The columns of new keys. Throws `nfc.keys_unchanged` if old messages would count again. */
  async function newKeys(row: TagRow, body: ReencodeBody) {
    const wasTapped = row.taps > 0;
    if (row.key_source === 'derived') {
      const version = await masterKeys.current();
      if (wasTapped && version === row.key_version) throw nfcErrors.keys_unchanged();
      return { key_version: version };
    }
    if (wasTapped && (await fileKeyOf(row)) === body.file_key) throw nfcErrors.keys_unchanged();
    return {
      sealed_meta_key: body.meta_key === undefined ? null : seal.seal(body.meta_key),
      sealed_file_key: body.file_key === undefined ? null : seal.seal(body.file_key),
    };
  }

  /** The file key from before, in hex. Undefined if it can't be read: new keys are the way out. */
  async function fileKeyOf(row: TagRow): Promise<string | undefined> {
    try {
      const { file } = await tagKeys.ofChip(row);
      return file && hex(file);
    } catch (error) {
      if (error instanceof AppError && error.code === 'nfc.keys_unreadable') return undefined;
      throw error;
    }
  }
}

/** Bytes as upper-case hexadecimal digits. */
export const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
const hexOrNull = (bytes: Buffer | undefined) => (bytes === undefined ? null : hex(bytes));

const keysView = (row: TagRow, { application, file, meta }: ChipKeys) => ({
  version: row.key_version,
  application: hexOrNull(application),
  file: hexOrNull(file),
  meta: hexOrNull(meta),
});

function viewOf({ chip, mode }: TagRow, sheet: Sheet, keys: EncodingView['keys']): EncodingView {
  const { file_settings: file = null, mirror_settings: mirror = null } = sheet;
  return {
    url: sheet.url,
    chip,
    mode,
    message: hex(sheet.message),
    memory: hex(sheet.memory),
    file_settings: file,
    mirror_settings: mirror,
    key_numbers: file === null ? null : keyNumbers,
    keys,
  };
}

/** The previous settings with changes; what depends on the file data is reset with it. */
function changedSettings(
  { chip }: TagRow,
  before: MessageSettings,
  body: ReencodeBody,
): MessageSettings {
  const dependent = { file_data_length: undefined, mac_input: undefined };
  const kept = body.file_data === undefined ? before : { ...before, ...dependent };
  return newSettings(chip, { ...kept, ...body });
}
