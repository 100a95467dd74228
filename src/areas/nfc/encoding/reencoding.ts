import type { Clock } from '../../../lib/clock.ts';
import type { Seal } from '../../../lib/secrets/seal.ts';
import type { Database } from '../../../platform/database/database.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import type { Audit } from '../../audit/service.ts';
import { nfcErrors } from '../errors.ts';
import type { MasterKeys } from '../keys/master-keys.ts';
import type { TagKeys } from '../keys/tag-keys.ts';
import type { ReencodeBody } from '../schemas.ts';
import type { MessageSettings } from '../sdm/settings.ts';
import type { TagRow } from '../tables.ts';
import { newSettings, settingsOf } from '../tags/message-settings.ts';
import { checkFit, checkGivenKeys, checkTag } from '../tags/rules.ts';
import { tagUrl } from '../tags/service.ts';
import { isUidConflict, type TagStore } from '../tags/store.ts';

export interface ReencodingOptions {
  db: Database;
  clock: Clock;
  store: Pick<TagStore, 'find' | 'reencode'>;
  masterKeys: Pick<MasterKeys, 'current'>;
  tagKeys: Pick<TagKeys, 'ofChip'>;
  seal: Seal;
  audit: Pick<Audit, 'recordIn'>;
  baseOrigin: string;
  baseUrl: string;
}

/** The settings from before with changes; what depends on the file data starts anew with it. */
function changedSettings(
  { chip }: TagRow,
  before: MessageSettings,
  body: ReencodeBody,
): MessageSettings {
  const dependent = { file_data_length: undefined, mac_input: undefined };
  const kept = body.file_data === undefined ? before : { ...before, ...dependent };
  return newSettings(chip, { ...kept, ...body });
}

/** The file key from before, in hex. Undefined if it can't be read: new keys are the way out. */
async function fileKeyOf(
  row: TagRow,
  tagKeys: ReencodingOptions['tagKeys'],
): Promise<string | undefined> {
  try {
    const { file } = await tagKeys.ofChip(row);
    return file?.toString('hex').toUpperCase();
  } catch (error) {
    if (error instanceof AppError && error.code === 'nfc.keys_unreadable') return undefined;
    throw error;
  }
}

/** The columns of new keys. Throws `nfc.keys_unchanged` if old messages would count again. */
async function newKeys(
  row: TagRow,
  body: ReencodeBody,
  { masterKeys, tagKeys, seal }: ReencodingOptions,
) {
  const wasTapped = row.taps > 0;
  if (row.key_source === 'derived') {
    const version = await masterKeys.current();
    if (wasTapped && version === row.key_version) throw nfcErrors.keys_unchanged();
    return { key_version: version };
  }
  if (wasTapped && (await fileKeyOf(row, tagKeys)) === body.file_key)
    throw nfcErrors.keys_unchanged();
  return {
    sealed_meta_key: body.meta_key === undefined ? null : seal.seal(body.meta_key),
    sealed_file_key: body.file_key === undefined ? null : seal.seal(body.file_key),
  };
}

/**
 * Returns the function that notes that a chip gets new keys, and possibly other settings and a
 * different UID, and starts its counter again. It throws `nfc.tag_not_found`, `nfc.not_sun`,
 * `nfc.keys_unchanged`, `nfc.tag_changed`, `nfc.uid_taken`, `auth.step_up_required` and a
 * RequestValidationError.
 */
export function createReencoding(options: ReencodingOptions) {
  const { db, clock, store, audit, baseOrigin, baseUrl } = options;

  return async (id: string, body: ReencodeBody, by: RequestActor): Promise<void> => {
    requireFresh(by, clock.now());
    const row = await store.find(id);
    if (row === undefined) throw nfcErrors.tag_not_found();
    const before = settingsOf(row);
    if (before === undefined || row.key_source === null) throw nfcErrors.not_sun();
    const settings = changedSettings(row, before, body);
    const uid = body.uid ?? row.uid;
    checkTag({ ...row, uid, settings }, baseOrigin);
    checkGivenKeys(body, row.key_source, settings);
    checkFit({ ...row, settings, url: tagUrl(baseUrl, row.code) });
    const keys = await newKeys(row, body, options);
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
  };
}

export type Reencode = ReturnType<typeof createReencoding>;
