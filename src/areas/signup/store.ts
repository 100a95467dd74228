import type { Database } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/tables.ts';

/** The details entered when signing up. */
interface Details extends Pick<Tables['signups'], 'name' | 'company' | 'phone' | 'plan'> {
  referralCode: string | null;
  hasConsented: boolean;
}

interface SignupRequest {
  /** For a new row. */
  id: string;
  email: string;
  details: Details;
  askedAt: Date;
  /** Addresses that requested a link after this time get no message. */
  since: Date;
  /** Addresses that got `max` messages get another only if the last was before this time. */
  longSince: Date;
  max: number;
}

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

interface Confirmation {
  id: string;
  hash: string;
  since: Date;
  now: Date;
}

function upsert(db: Database, signup: SignupRequest) {
  const { id, email, details, askedAt, since, longSince, max } = signup;
  const columns = columnsOf(details, askedAt);
  return db
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
        .where((where) => {
          const isBelowMax = where('signups.asked', '<', max);
          return where.or([
            where.and([where('signups.last_asked_at', '<=', since), isBelowMax]),
            where('signups.last_asked_at', '<=', longSince),
            where('signups.last_asked_at', '=', askedAt),
          ]);
        }),
    );
}

/** Signups in SQL, one row for each address. */
export function createSignupStore(db: Database) {
  return {
    /**
     * Stores a signup, replacing the details of an earlier one. Returns the row's id if a message
     * may be sent now: the address is not confirmed and has made no request since `since`.
     * Repeating the call with the same `askedAt` gives the same result.
     */
    async request(signup: SignupRequest): Promise<string | undefined> {
      return (await upsert(db, signup).returning('id').executeTakeFirst())?.id;
    },

    /** Stores the hash of the token that confirms the signup; earlier tokens stop working. */
    async setConfirmHash(id: string, hash: string): Promise<void> {
      await db
        .updateTable('signups')
        .set({ confirm_hash: hash })
        .where('id', '=', id)
        .where('confirmed_at', 'is', null)
        .execute();
    },

    /** Confirms the signup if it has this hash and was requested after `since`. Clears the hash. */
    async confirm({ id, hash, since, now }: Confirmation): Promise<boolean> {
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

    /** Deletes unconfirmed signups that were last requested before `time`. */
    async deleteUnconfirmed(time: Date): Promise<void> {
      await db
        .deleteFrom('signups')
        .where('confirmed_at', 'is', null)
        .where('last_asked_at', '<', time)
        .execute();
    },
  };
}

/** How many sign-ups there are, confirmed or not. */
export async function countSignups(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('signups')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
