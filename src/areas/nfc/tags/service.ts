import { newShortCode } from '../../../lib/short-codes.ts';
import type { ResourceService } from '../../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../platform/resource/table-service.ts';
import type { NfcParts } from '../compose.ts';
import { nfcErrors } from '../errors.ts';
import { nfcTagResource } from './resource.ts';
import { type NfcTagBody, type NfcTagChangeBody, NfcTagView } from '../schemas.ts';
import type { KeySource, TagRow } from '../tables.ts';
import { newSettings, settingsOf } from './message-settings.ts';
import { checkFit, checkGivenKeys, checkTag, checkUnsigned } from './rules.ts';

/** The URL of a tag, without a message. */
export const tagUrl = (baseUrl: string, code: string): string => `${baseUrl}/n/${code}`;

/** Characters of a random code. */
const codeLength = 8;

/** NFC tags as a resource. */
export function createTags(
  parts: NfcParts,
): Required<ResourceService<NfcTagView, NfcTagBody, NfcTagChangeBody>> {
  const { store, linkSite, masterKeys, seal, baseUrl, baseOrigin } = parts;
  const table = createTableService(nfcTagResource, {
    ...parts,
    table: 'nfc_tags',
    kind: 'nfc_tag',
    actions: { created: 'nfc.tag_created', updated: 'nfc.tag_changed', deleted: 'nfc.tag_deleted' },
    searched: ['name', 'code', 'uid', 'target'],
    conflicts: { nfc_tags_code: nfcErrors.code_taken, nfc_tags_uid: nfcErrors.uid_taken },
    toView: (row) =>
      NfcTagView.parse({
        ...viewFromRow(nfcTagResource, row),
        site_id: row.site_id ?? new URL(baseOrigin).hostname,
        url: tagUrl(baseUrl, String(row.code)),
      }),
  });
  return {
    ...table,

    check: async (body) => void checkedBody(body),

    /** Throws `nfc.code_taken`, `nfc.uid_taken` and a RequestValidationError. */
    create: async (body, by) => table.create(await newRow(body), by),

    /**
     * Throws `nfc.tag_not_found`, `nfc.uid_taken`, `nfc.uid_fixed` and a RequestValidationError.
     */
    async update(id, changes, by) {
      checkChange(await store.get(id), changes, baseOrigin);
      if (changes.site_id !== undefined) await linkSite(changes.site_id);
      return table.update(id, changes, by);
    },
  };

  /** The columns of a new tag. */
  async function newRow(body: NfcTagBody) {
    const { settings, ...checked } = checkedBody(body);
    return {
      ...checked,
      ...settings,
      name: body.name,
      code: body.code ?? newShortCode(codeLength),
      title: body.title ?? null,
      page_text: body.page_text ?? null,
      site_id: await linkSite(body.site_id),
      active: body.active,
      forward_query: body.forward_query,
      taps: 0,
      key_version: checked.key_source === 'derived' ? await masterKeys.current() : null,
      sealed_meta_key: body.meta_key === undefined ? null : seal.seal(body.meta_key),
      sealed_file_key: body.file_key === undefined ? null : seal.seal(body.file_key),
    };
  }

  /** Checks a body and adds what the service decides. Throws a RequestValidationError. */
  function checkedBody(body: NfcTagBody) {
    const { mode, chip, uid = null, target = null } = body;
    if (mode !== 'sun') checkUnsigned(body);
    const settings = mode === 'sun' ? newSettings(chip, body) : undefined;
    const source: KeySource | null = mode === 'sun' ? (body.key_source ?? 'derived') : null;
    const action = body.action ?? (target === null ? 'page' : 'redirect');
    const checked = { chip, mode, uid, settings, key_source: source, target, action };
    checkTag(checked, baseOrigin);
    if (settings !== undefined && source !== null) checkGivenKeys(body, source, settings);
    checkFit({ chip, mode, settings, url: tagUrl(baseUrl, body.code ?? newShortCode(codeLength)) });
    return checked;
  }
}

/** Throws a RequestValidationError, or `nfc.uid_fixed`, for changes that a tag does not take. */
function checkChange(row: TagRow, changes: NfcTagChangeBody, baseOrigin: string): void {
  const isOtherUid = changes.uid !== undefined && changes.uid !== row.uid;
  if (row.mode === 'sun' && isOtherUid && row.taps > 0) throw nfcErrors.uid_fixed();
  const { uid = row.uid, target = row.target, action = row.action } = changes;
  checkTag({ ...row, uid, target, action, settings: settingsOf(row) }, baseOrigin);
}
