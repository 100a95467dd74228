import { sql } from 'kysely';
import { newShortCode } from '../../../lib/short-codes.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import type { ChangeActor } from '../../../platform/http/requests/request-actor.ts';
import { bindResource } from '../../../platform/resource/resource.ts';
import { createTableService } from '../../../platform/resource/table-service.ts';
import type { QrParts } from '../compose.ts';
import { QrStyle } from '../drawing/style.ts';
import { qrErrors } from '../errors.ts';
import { withDialableNumbers } from '../payloads/phone-number.ts';
import { qrCodeResource } from '../resource.ts';
import type { QrCodeBody, QrCodeView, UpdateQrCodeBody } from '../schemas.ts';
import { codeLength } from './code-length.ts';
import { checkChanges, checkCode } from './rules.ts';
import { createScanCounts } from './scan-counts.ts';
import { createToView, textOf } from './views.ts';

const maxTries = 5;

/** QR codes as a resource. */
export function createCodes(context: QrParts) {
  const { baseUrl, baseOrigin, linkSite, passwords, pictures, lookup } = context;
  const counts = createScanCounts(context);
  const table = createTableService(qrCodeResource, {
    ...context,
    table: 'qr_codes',
    kind: 'qr_code',
    actions: { created: 'qr.code_created', updated: 'qr.code_changed', deleted: 'qr.code_deleted' },
    filters: { logo: (value) => sql<boolean>`style ->> 'logo' = ${value}` },
    searched: ['name', 'code', 'url', 'utm_campaign'],
    conflicts: { qr_codes_code: qrErrors.code_taken },
    toView: createToView(context),
  });
  const bound = bindResource(qrCodeResource, {
    async list(query, signal) {
      const page = await table.list(query, signal);
      return { ...page, data: await counts.addTo(page.data) };
    },
    get: async (id) => withScans(await table.get(id)),
    check: async (body) => checkCode(body, baseOrigin),
    create: (body, by) => create(body, by),
    update,
    async delete(id, by) {
      const { code } = await table.get(id);
      await table.delete(id, by);
      lookup.changed(code);
    },
  });
  return {
    bound,
    create,
    update,
    trends: counts.trends,
    /** A code without its scans. Throws `qr.not_found`. */
    get: (id: string): Promise<QrCodeView> => table.get(id),
  };

  /** `given`: a code and the file that it comes from; otherwise those of the body, or new ones. */
  async function create(
    body: QrCodeBody,
    by: ChangeActor,
    given: { code?: string; batchId?: string } = {},
  ): Promise<QrCodeView> {
    checkCode(body, baseOrigin);
    const row = { ...(await rowOf(body)), batch_id: given.batchId ?? null };
    const view = await insert(row, by, given.code ?? body.code);
    lookup.changed(view.code);
    return { ...view, scans: view.dynamic ? 0 : null };
  }

  /** Tries again when a random short code is taken. */
  async function insert(
    row: Awaited<ReturnType<typeof rowOf>>,
    by: ChangeActor,
    given: string | undefined,
  ): Promise<QrCodeView> {
    for (let tries = 1; ; tries += 1)
      try {
        const code = given ?? newShortCode(codeLength);
        await pictures.readable({ text: textOf({ ...row, code }, baseUrl), style: row.style });
        return await table.create({ ...row, code }, by);
      } catch (error) {
        const isTaken = error instanceof AppError && error.code === 'qr.code_taken';
        if (given !== undefined || tries >= maxTries || !isTaken) throw error;
      }
  }

  async function update(id: string, body: UpdateQrCodeBody, by: ChangeActor): Promise<QrCodeView> {
    const current = await table.get(id);
    checkChanges(body, current, baseOrigin);
    const changes = await changesOf(current, body);
    if (changes.style !== undefined)
      await pictures.readable({ text: current.text, style: changes.style });
    const view = await table.update(id, changes, by);
    lookup.changed(view.code);
    return withScans(view);
  }

  async function withScans(view: QrCodeView): Promise<QrCodeView> {
    const [counted = view] = await counts.addTo([view]);
    return counted;
  }

  /** The columns of a new code, except for its short link. */
  async function rowOf(body: QrCodeBody) {
    const {
      password = null,
      content = null,
      dynamic,
      url = null,
      style,
      rules = [],
      ...rest
    } = body;
    return {
      ...rest,
      site_id: await linkSite(rest.site_id),
      type: content?.type ?? 'url',
      url,
      content: content === null ? null : await withDialableNumbers(content),
      rules,
      dynamic: content === null && dynamic,
      style: QrStyle.parse(style ?? {}),
      password: password === null ? null : await passwords.hash(password),
    };
  }

  async function changesOf(current: QrCodeView, { password, style, ...rest }: UpdateQrCodeBody) {
    if (rest.site_id !== undefined) await linkSite(rest.site_id);
    return {
      ...rest,
      ...(style === undefined ? {} : { style: QrStyle.parse({ ...current.style, ...style }) }),
      ...(password == null ? {} : { password: await passwords.hash(password) }),
      ...(password === null ? { password: null } : {}),
    };
  }
}

export type Codes = ReturnType<typeof createCodes>;
