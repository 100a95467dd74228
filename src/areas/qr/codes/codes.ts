import { sql } from 'kysely';
import type { LinkPasswords } from '../../../platform/crypto/link-passwords.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { ChangeActor } from '../../../platform/http/requests/request-actor.ts';
import { type BoundResource, bindResource } from '../../../platform/resource/resource.ts';
import { createTableService } from '../../../platform/resource/table-service.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { LinkSite } from '../../analytics/sites/link-site.ts';
import type { Audit } from '../../audit/service.ts';
import { QrStyle } from '../drawing/style.ts';
import { qrErrors } from '../errors.ts';
import { withDialableNumbers } from '../payloads/phone-number.ts';
import { qrCodeResource } from '../resource.ts';
import type { QrCodeBody, QrCodeView, UpdateQrCodeBody } from '../schemas.ts';
import { newShortCode } from '../../../lib/short-codes.ts';
import { createToView, textOf } from './code-rows.ts';
import { checkChanges, checkCode } from './code-rules.ts';
import type { Pictures } from '../pictures/pictures.ts';
import type { ScanCounts } from './scan-counts.ts';

export interface CodesOptions extends Pick<Resources, 'db' | 'clock' | 'keys' | 'baseUrl'> {
  audit: Pick<Audit, 'recordIn'>;
  baseOrigin: string;
  linkSite: LinkSite;
  passwords: Pick<LinkPasswords, 'hash'>;
  pictures: Pick<Pictures, 'readable'>;
  counts: ScanCounts;
  /** Tells every replica that a code is no longer as it was. */
  changed: (code: string) => void;
}

/** What a code gets instead of what its body says. */
interface Given {
  code?: string | undefined;
  batchId?: string | null;
}

/** Characters of a random short code. */
export const codeLength = 7;
const maxTries = 5;

const isTaken = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'qr.code_taken';

function createTable(options: CodesOptions) {
  return createTableService(qrCodeResource, {
    ...options,
    table: 'qr_codes',
    kind: 'qr_code',
    actions: {
      created: 'qr.code_created',
      updated: 'qr.code_changed',
      deleted: 'qr.code_deleted',
    },
    filters: { logo: (value) => sql<boolean>`style ->> 'logo' = ${value}` },
    searched: ['name', 'code', 'url', 'utm_campaign'],
    conflicts: { qr_codes_code: qrErrors.code_taken },
    toView: createToView({ baseUrl: options.baseUrl, now: () => options.clock.now() }),
  });
}

/** The columns of a new code, except for its short link. */
async function rowOf(options: CodesOptions, body: QrCodeBody) {
  const { password = null, content = null, dynamic, url = null, style, rules = [], ...rest } = body;
  return {
    ...rest,
    site_id: await options.linkSite(rest.site_id),
    type: content?.type ?? 'url',
    url,
    content: content === null ? null : await withDialableNumbers(content),
    rules,
    dynamic: content === null && dynamic,
    style: QrStyle.parse(style ?? {}),
    password: password === null ? null : await options.passwords.hash(password),
  };
}

type Table = ReturnType<typeof createTable>;

/** Creates the function that creates codes. It tries again when a random short code is taken. */
function createCreation(options: CodesOptions, table: Table) {
  const { baseOrigin, baseUrl, pictures, changed } = options;

  async function insert(
    body: QrCodeBody,
    by: ChangeActor,
    { code: given = body.code, batchId = null }: Given,
  ): Promise<QrCodeView> {
    const row = { ...(await rowOf(options, body)), batch_id: batchId };
    for (let tries = 1; ; tries += 1)
      try {
        const code = given ?? newShortCode(codeLength);
        await pictures.readable({ text: textOf({ ...row, code }, baseUrl), style: row.style });
        return await table.create({ ...row, code }, by);
      } catch (error) {
        if (given !== undefined || tries >= maxTries || !isTaken(error)) throw error;
      }
  }

  /** `given`: a code and the file that it comes from; otherwise those of the body, or new ones. */
  return async (body: QrCodeBody, by: ChangeActor, given: Given = {}): Promise<QrCodeView> => {
    checkCode(body, baseOrigin);
    const view = await insert(body, by, given);
    changed(view.code);
    return { ...view, scans: view.dynamic ? 0 : null };
  };
}

async function changesOf(
  options: CodesOptions,
  current: QrCodeView,
  { password, style, ...rest }: UpdateQrCodeBody,
) {
  if (rest.site_id !== undefined) await options.linkSite(rest.site_id);
  return {
    ...rest,
    ...(style === undefined ? {} : { style: QrStyle.parse({ ...current.style, ...style }) }),
    ...(password == null ? {} : { password: await options.passwords.hash(password) }),
    ...(password === null ? { password: null } : {}),
  };
}

/** QR codes as a resource. */
export function createCodes(options: CodesOptions) {
  const { baseOrigin, pictures, counts, changed } = options;
  const table = createTable(options);
  const create = createCreation(options, table);

  async function withScans(view: QrCodeView): Promise<QrCodeView> {
    const [counted = view] = await counts.addTo([view]);
    return counted;
  }

  const bound: BoundResource = bindResource(qrCodeResource, {
    async list(query, signal) {
      const page = await table.list(query, signal);
      return { ...page, data: await counts.addTo(page.data) };
    },

    get: async (id) => withScans(await table.get(id)),

    check: async (body) => checkCode(body, baseOrigin),

    create: (body, by) => create(body, by),

    async update(id, body, by) {
      const current = await table.get(id);
      checkChanges(body, current, baseOrigin);
      const changes = await changesOf(options, current, body);
      if (changes.style !== undefined)
        await pictures.readable({ text: current.text, style: changes.style });
      const view = await table.update(id, changes, by);
      changed(view.code);
      return withScans(view);
    },

    async delete(id, by) {
      const { code } = await table.get(id);
      await table.delete(id, by);
      changed(code);
    },
  });
  return { bound, create };
}

export type Codes = ReturnType<typeof createCodes>;
