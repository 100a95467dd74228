import type { Clock } from '../../../lib/clock.ts';
import { newShortCode } from '../../../lib/short-codes.ts';
import type { Seal } from '../../../lib/secrets/seal.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { Entry, ResourceService } from '../../../platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../platform/resource/table-service.ts';
import type { LinkSite } from '../../analytics/sites/link-site.ts';
import type { Audit } from '../../audit/service.ts';
import { nfcErrors } from '../errors.ts';
import type { MasterKeys } from '../keys/master-keys.ts';
import { nfcTagResource } from '../resource.ts';
import { type NfcTagBody, type NfcTagChangeBody, NfcTagView } from '../schemas.ts';
import type { KeySource, TagRow } from '../tables.ts';
import { newSettings, settingsOf } from './message-settings.ts';
import { checkFit, checkGivenKeys, checkTag, checkUnsigned } from './rules.ts';
import type { TagStore } from './store.ts';

export interface TagsOptions {
  db: Database;
  clock: Clock;
  keys: Keys;
  audit: Pick<Audit, 'recordIn'>;
  store: Pick<TagStore, 'find'>;
  masterKeys: Pick<MasterKeys, 'current'>;
  seal: Seal;
  linkSite: LinkSite;
  baseUrl: string;
  baseOrigin: string;
}

/** The URL of a tag, without a message. */
export const tagUrl = (baseUrl: string, code: string): string => `${baseUrl}/n/${code}`;

/** Characters of a random code. */
const codeLength = 8;

const defaultAction = ({ target }: NfcTagBody) => (target === undefined ? 'page' : 'redirect');

/** Checks a body and adds what the service decides. Throws a RequestValidationError. */
function checkedBody(
  body: NfcTagBody,
  { baseOrigin, baseUrl }: Pick<TagsOptions, 'baseOrigin' | 'baseUrl'>,
) {
  const { mode, chip } = body;
  if (mode !== 'sun') checkUnsigned(body);
  const settings = mode === 'sun' ? newSettings(chip, body) : undefined;
  const source: KeySource | null = mode === 'sun' ? (body.key_source ?? 'derived') : null;
  const checked = {
    chip,
    mode,
    uid: body.uid ?? null,
    settings,
    key_source: source,
    target: body.target ?? null,
    action: body.action ?? defaultAction(body),
  };
  checkTag(checked, baseOrigin);
  if (settings !== undefined && source !== null) checkGivenKeys(body, source, settings);
  checkFit({ chip, mode, settings, url: tagUrl(baseUrl, body.code ?? newShortCode(codeLength)) });
  return checked;
}

/** The columns of a new tag. */
async function newRow(body: NfcTagBody, options: TagsOptions) {
  const { masterKeys, seal, linkSite } = options;
  const { settings, ...checked } = checkedBody(body, options);
  const sealed = (key: string | undefined) => (key === undefined ? null : seal.seal(key));
  return {
    ...checked,
    ...settings,
    name: body.name,
    code: body.code ?? newShortCode(codeLength),
    page_text: body.page_text ?? null,
    site_id: await linkSite(body.site_id),
    active: body.active,
    forward_query: body.forward_query,
    taps: 0,
    key_version: checked.key_source === 'derived' ? await masterKeys.current() : null,
    sealed_meta_key: sealed(body.meta_key),
    sealed_file_key: sealed(body.file_key),
  };
}

/** Throws a RequestValidationError, or `nfc.uid_fixed`, for changes that a tag does not take. */
function checkChange(row: TagRow, changes: NfcTagChangeBody, baseOrigin: string): void {
  const isOtherUid = changes.uid !== undefined && changes.uid !== row.uid;
  if (row.mode === 'sun' && isOtherUid && row.taps > 0) throw nfcErrors.uid_fixed();
  const { uid = row.uid, target = row.target, action = row.action } = changes;
  checkTag({ ...row, uid, target, action, settings: settingsOf(row) }, baseOrigin);
}

/** NFC tags as a resource. */
export function createTags(
  options: TagsOptions,
): Required<ResourceService<NfcTagView & Entry, NfcTagBody, NfcTagChangeBody>> {
  const { db, clock, keys, audit, store, linkSite, baseUrl, baseOrigin } = options;
  const table = createTableService(nfcTagResource, {
    db,
    clock,
    keys,
    audit,
    table: 'nfc_tags',
    kind: 'nfc_tag',
    actions: {
      created: 'nfc.tag_created',
      updated: 'nfc.tag_changed',
      deleted: 'nfc.tag_deleted',
    },
    searched: ['name', 'code', 'uid'],
    conflicts: { nfc_tags_code: nfcErrors.code_taken, nfc_tags_uid: nfcErrors.uid_taken },
    toView: (row) =>
      NfcTagView.parse({
        ...viewFromRow(nfcTagResource, row),
        site_id: row.site_id ?? new URL(baseOrigin).hostname,
        url: tagUrl(baseUrl, String(row.code)),
      }),
  });
  const { list, get, create, update, delete: remove } = table;

  return {
    list,
    get,
    delete: remove,

    check: async (body) => void checkedBody(body, options),

    /** Throws `nfc.code_taken`, `nfc.uid_taken` and a RequestValidationError. */
    create: async (body, by: RequestActor) => create(await newRow(body, options), by),

    /**
     * Throws `nfc.tag_not_found`, `nfc.uid_taken`, `nfc.uid_fixed` and a RequestValidationError.
     */
    async update(id, changes, by) {
      const row = await store.find(id);
      if (row === undefined) throw nfcErrors.tag_not_found();
      checkChange(row, changes, baseOrigin);
      if (changes.site_id !== undefined) await linkSite(changes.site_id);
      return update(id, changes, by);
    },
  };
}
