import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { countEntries } from './migrations/0021-waitlist-places.ts';
import { type ReferralFacts, referralPoints } from './referral-rules.ts';
import type { EntryRow } from './store.ts';
import type { Credit } from './tables.ts';

// Arbitrary, but different from all other advisory locks.
const orderLock = 7_021_001;

/** Points for each verified referral. */

const list = (values: readonly string[]) => sql`${JSON.stringify(values)}::jsonb`;

/** Locks the order of the list until the transaction ends. */
const lockOrder = (within: Database) =>
  sql`select pg_advisory_xact_lock(${orderLock})`.execute(within);

interface Networks {
  referredBy: string;
  networks: readonly string[];
  /** Of the last 30 days. */
  since: Date;
  lastHour: Date;
}

async function findReferrer(
  within: Database,
  { referredBy, networks, since, lastHour }: Networks,
): Promise<ReferralFacts['referrer'] | undefined> {
  const wanted = sql`(select jsonb_array_elements_text(${list(networks)}))`;
  const { rows } = await sql<ReferralFacts['referrer']>`
    select r.mailbox, r.status,
      (select coalesce(json_agg(distinct n.network), '[]') from (
        select r.network where r.created_at > ${since}
        union all select r.verified_network where r.verified_at > ${since}
        union all select x.network from waitlist_entries x where x.referred_by = r.id
          and x.credit = 'granted' and x.verified_at > ${since} and x.network in ${wanted}
        union all select x.verified_network from waitlist_entries x where x.referred_by = r.id
          and x.credit = 'granted' and x.verified_at > ${since}
          and x.verified_network in ${wanted}
      ) as n where n.network is not null) as networks,
      (select count(*)::int from waitlist_entries x where x.referred_by = r.id
        and x.credit = 'granted' and x.verified_at > ${lastHour}) as "creditsInLastHour"
    from waitlist_entries r where r.id = ${referredBy}`.execute(within);
  return rows[0];
}

/** Sets scores to what the referrals say: for these people, or for all. */
async function recount(within: Database, referrers?: readonly (string | null)[]): Promise<number> {
  const ids = [...new Set(referrers?.filter((id) => id !== null))];
  if (referrers !== undefined && ids.length === 0) return 0;
  const chosen =
    referrers === undefined
      ? sql`where score <> 0 or exists (select from waitlist_entries x
          where x.referred_by = waitlist_entries.id and x.credit = 'granted')`
      : sql`where id in (select value::uuid from jsonb_array_elements_text(${list(ids)}))`;
  const { numAffectedRows = 0n } = await sql`
    update waitlist_entries as e
    set amount_referred = c.referred, score = c.referred * ${referralPoints}::int
    from (select id, (select count(*)::int from waitlist_entries x
        where x.referred_by = waitlist_entries.id and x.credit = 'granted') as referred
      from waitlist_entries ${chosen}) as c
    where e.id = c.id
      and (e.amount_referred, e.score)
        is distinct from (c.referred, c.referred * ${referralPoints}::int)
  `.execute(within);
  return Number(numAffectedRows);
}

/** Counts the list again, and forgets counts of nothing. */
async function recountList(within: Database): Promise<void> {
  await sql`delete from waitlist_counts`.execute(within);
  await sql.raw(countEntries).execute(within);
}

/**
 * Credit for referrals, and the scores made of it. Every change of who waits in which order goes
 * through `change`, one at a time, so that a referral never counts twice.
 */
export function createCreditStore(db: Database) {
  return {
    /** Runs a change of the order in a transaction of its own, after all others. */
    change: <Result>(make: (within: Database) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(async (transaction) => {
        await lockOrder(transaction);
        return make(transaction);
      }),

    findReferrer,

    async setCredit(
      within: Database,
      id: string,
      { credit, reasons }: { credit: Credit; reasons: readonly string[] },
    ): Promise<void> {
      await within
        .updateTable('waitlist_entries')
        .set({ credit, credit_reasons: [...reasons] })
        .where('id', '=', id)
        .execute();
    },

    /** Sets the scores of the people who referred these entries. */
    recountReferrersOf: (within: Database, rows: readonly Pick<EntryRow, 'referred_by'>[]) =>
      recount(
        within,
        rows.map((row) => row.referred_by),
      ),

    /** Computes every score and count from the referrals. Returns how many scores were wrong. */
    rebuild: (): Promise<number> =>
      db.transaction().execute(async (transaction) => {
        await lockOrder(transaction);
        const changed = await recount(transaction);
        await recountList(transaction);
        return changed;
      }),
  };
}

export type CreditStore = ReturnType<typeof createCreditStore>;
