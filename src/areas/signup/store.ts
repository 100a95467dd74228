import type { Selectable } from 'kysely';
import { cancellable, type Database } from '../../platform/database/database.ts';
import type { SignupsTable } from './tables.ts';

/** What somebody says when signing up. */
export interface Details {
  name: string | null;
  company: string | null;
  phone: string | null;
  plan: string | null;
  referralCode: string | null;
  hasConsented: boolean;
}

export interface Asking {
  /** For a new row. */
  id: string;
  email: string;
  details: Details;
  askedAt: Date;
  /** Who asked after it is sent nothing. */
  since: Date;
  /** Who was sent the most messages waits until it was before this. */
  longSince: Date;
  most: number;
}

const shown = [
  'id',
  'email',
  'name',
  'company',
  'phone',
  'plan',
  'referral_code',
  'consent_at',
  'created_at',
  'confirmed_at',
] as const;
export type SignupRecord = Pick<Selectable<SignupsTable>, (typeof shown)[number]>;

const columnsOf = (
  { name, company, phone, plan, referralCode, hasConsented }: Details,
  at: Date,
) => ({
  name,
  company,
  phone,
  plan,
  referral_code: referralCode,
  consent_at: hasConsented ? at : null,
});

/** Who has signed up, and who is about to: one row for each address. */
export function createSignupStore(db: Database) {
  return {
    /**
     * Notes that an address asks to sign up. Gives the row's id when it may be sent a message now: it is not confirmed, and
     * has not asked since `since`. What was said before is forgotten then. The same `askedAt` again gives the same.
     */
    async ask({
      id,
      email,
      details,
      askedAt,
      since,
      longSince,
      most,
    }: Asking): Promise<string | undefined> {
      const columns = columnsOf(details, askedAt);
      const row = await db
        .insertInto('signups')
        .values({
          id,
          email,
          ...columns,
          created_at: askedAt,
          confirmed_at: null,
          confirm_hash: null,
          last_asked_at: askedAt,
          asked: 1,
        })
        .onConflict((conflict) =>
          conflict
            .column('email')
            .doUpdateSet(({ eb }) => ({
              ...columns,
              last_asked_at: askedAt,
              asked: eb
                .case()
                .when('signups.last_asked_at', '=', askedAt)
                .then(eb.ref('signups.asked'))
                .else(eb('signups.asked', '+', 1))
                .end(),
            }))
            .where('signups.confirmed_at', 'is', null)
            .where((where) =>
              where.or([
                where.and([
                  where('signups.last_asked_at', '<=', since),
                  where('signups.asked', '<', most),
                ]),
                where('signups.last_asked_at', '<=', longSince),
                where('signups.last_asked_at', '=', askedAt),
              ]),
            ),
        )
        .returning('id')
        .executeTakeFirst();
      return row?.id;
    },

    /** Notes the hash of what confirms it: what confirmed it before does not any more. */
    async setConfirmHash(id: string, hash: string): Promise<void> {
      await db
        .updateTable('signups')
        .set({ confirm_hash: hash })
        .where('id', '=', id)
        .where('confirmed_at', 'is', null)
        .execute();
    },

    /** Confirms a row that has this hash and asked after `since`. The hash is used up by it. */
    async confirm({
      id,
      hash,
      since,
      now,
    }: {
      id: string;
      hash: string;
      since: Date;
      now: Date;
    }): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('signups')
        .set({ confirmed_at: now, confirm_hash: null })
        .where('id', '=', id)
        .where('confirm_hash', '=', hash)
        .where('confirmed_at', 'is', null)
        .where('last_asked_at', '>', since)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Whether there was one. */
    async remove(id: string, within: Database): Promise<boolean> {
      const { numDeletedRows } = await within
        .deleteFrom('signups')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Newest first, after the id `after`. */
    async list(
      {
        email,
        confirmed,
        after,
        most,
      }: {
        email?: string | undefined;
        confirmed?: boolean | undefined;
        after?: string | undefined;
        most: number;
      },
      signal?: AbortSignal,
    ): Promise<SignupRecord[]> {
      let query = cancellable(db, signal)
        .selectFrom('signups')
        .select(shown)
        .orderBy('id', 'desc')
        .limit(most);
      if (email !== undefined) query = query.where('email', '=', email);
      if (confirmed !== undefined)
        query = query.where('confirmed_at', confirmed ? 'is not' : 'is', null);
      if (after !== undefined) query = query.where('id', '<', after);
      return query.execute();
    },

    async countConfirmed(signal?: AbortSignal): Promise<number> {
      const { count } = await cancellable(db, signal)
        .selectFrom('signups')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .where('confirmed_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return Number(count);
    },

    /** Forgets those who asked before `time` and never confirmed. */
    async forgetUnconfirmed(time: Date): Promise<void> {
      await db
        .deleteFrom('signups')
        .where('confirmed_at', 'is', null)
        .where('last_asked_at', '<', time)
        .execute();
    },
  };
}

export type SignupStore = ReturnType<typeof createSignupStore>;
