import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { isUuid, uuidv7 } from '../../../lib/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { RequestActor } from '../../../platform/http/requests/request-actor.ts';
import type { QrParts } from '../compose.ts';
import { createLogoEncoder, type Logo } from '../drawing/logo.ts';
import { qrErrors } from '../errors.ts';
import type { LogoView } from './schemas.ts';

/** Uploaded logos are few, and each takes at most a megabyte. */
const maxLogos = 200;
const maxRemembered = 20;

const refusals = {
  type: qrErrors.logo_type,
  unreadable: qrErrors.logo_unreadable,
  busy: () => qrErrors.busy({ headers: { 'retry-after': '5' } }),
};

/** Logos for the center of codes. Their bytes never change. */
export function createLogos({ db, audit, clock }: Pick<QrParts, 'db' | 'audit' | 'clock'>) {
  const encode = createLogoEncoder();
  const remembered = new LRUCache<string, Logo>({ max: maxRemembered });
  return { add, find, list, delete: remove };

  /**
   * Stores an upload as PNG without metadata, with a name to tell it by. Throws `qr.logo_type`,
   * `qr.logo_unreadable`, `qr.busy`, `qr.too_many_logos`.
   */
  async function add(
    bytes: Buffer,
    by: RequestActor,
    name: string | null = null,
  ): Promise<LogoView> {
    const logo = await encode(bytes);
    if (typeof logo === 'string') throw refusals[logo]();
    const now = clock.now();
    const { png, width, height } = logo;
    const row = { id: uuidv7(now), name, width, height, created_at: new Date(now) };
    await db.transaction().execute(async (within) => {
      await requireRoom(within);
      await within
        .insertInto('qr_logos')
        .values({ ...row, png: Buffer.from(png) })
        .execute();
      const target = { kind: 'qr_logo', id: row.id };
      await audit.recordIn(within, [{ ...by, action: 'qr.logo_added', target }]);
    });
    return { ...row, codes: 0, created_at: row.created_at.toISOString() };
  }

  /** Returns undefined for an unknown id. */
  async function find(id: string): Promise<Logo | undefined> {
    const known = remembered.get(id);
    if (known !== undefined || !isUuid(id)) return known;
    const row = await db
      .selectFrom('qr_logos')
      .select(['png', 'width', 'height'])
      .where('id', '=', id.toLowerCase())
      .executeTakeFirst();
    if (row !== undefined) remembered.set(id, row);
    return row;
  }

  /** All of them, newest first. */
  async function list(): Promise<LogoView[]> {
    const rows = await db
      .selectFrom('qr_logos')
      .select(['id', 'name', 'width', 'height', 'created_at'])
      .select(
        sql<string>`(select count(*) from qr_codes
          where style ->> 'logo' is not null and style ->> 'logo' = qr_logos.id::text)`.as('codes'),
      )
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ codes, created_at: created, ...row }) => ({
      ...row,
      codes: Number(codes),
      created_at: created.toISOString(),
    }));
  }

  /** Throws `qr.logo_not_found`, and `qr.logo_used` while a code has it. */
  async function remove(id: string, by: RequestActor): Promise<void> {
    await db.transaction().execute(async (within) => {
      await deleteUnused(within, id);
      const target = { kind: 'qr_logo', id };
      await audit.recordIn(within, [{ ...by, action: 'qr.logo_deleted', target }]);
    });
    remembered.delete(id);
  }
}

export type Logos = ReturnType<typeof createLogos>;

async function requireRoom(within: Database): Promise<void> {
  const { count } = await within
    .selectFrom('qr_logos')
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  if (Number(count) >= maxLogos) throw qrErrors.too_many_logos();
}

async function deleteUnused(within: Database, id: string): Promise<void> {
  const used = await within
    .selectFrom('qr_codes')
    .select('id')
    .where(sql<boolean>`style ->> 'logo' = ${id}`)
    .limit(1)
    .executeTakeFirst();
  if (used !== undefined) throw qrErrors.logo_used();
  const { numDeletedRows } = await within
    .deleteFrom('qr_logos')
    .where('id', '=', id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw qrErrors.logo_not_found();
}
