import { type ExpressionBuilder, type RawBuilder, type Selectable, sql } from 'kysely';
import { minuteMs } from '../../../lib/durations.ts';
import type { Role } from '../../../lib/access.ts';
import { storableText } from '../../../lib/text/storable-text.ts';
import { contains } from '../../../platform/database/contains.ts';
import { cancellable, type Database } from '../../../platform/database/database.ts';
import type { Tables } from '../../../platform/database/tables.ts';
import type { Resources } from '../../../platform/resources.ts';

export type Invitation = Selectable<Tables['invitations']>;

export const invitationStatuses = ['pending', 'accepted', 'expired', 'revoked'] as const;
export type InvitationStatus = (typeof invitationStatuses)[number];

interface InvitationFilters {
  status?: InvitationStatus | undefined;
  /** Lower-case address. */
  email?: string | undefined;
  /** Any part of the address. */
  q?: string | undefined;
}

/** How many invitations there may be, installation-wide. */
interface InvitationLimits {
  /** Messages in any hour. */
  perHour: number;
  pending: number;
}

export interface Claim {
  id: string;
  claimed_at: Date;
}

type Where = ExpressionBuilder<Tables, 'invitations'>;

/** A claim that has not been completed for this long has lapsed. */
const claimMs = minuteMs;

// Arbitrary, but different from all other advisory locks.
const invitationLock = 7_301_945_119;

const isOpen = (where: Where) =>
  where.and([where('accepted_at', 'is', null), where('revoked_at', 'is', null)]);

const isPending = (where: Where, now: Date) =>
  where.and([isOpen(where), where('expires_at', '>', now)]);

/** True unless it is being accepted right now. */
const isUnclaimed = (where: Where, now: Date) =>
  where.or([
    where('claimed_at', 'is', null),
    where('claimed_at', '<', new Date(now.getTime() - claimMs)),
  ]);

function hasStatus(where: Where, status: InvitationStatus, now: Date) {
  if (status === 'accepted') return where('accepted_at', 'is not', null);
  if (status === 'revoked') return where('revoked_at', 'is not', null);
  return status === 'pending'
    ? isPending(where, now)
    : where.and([isOpen(where), where('expires_at', '<=', now)]);
}

/** SQL for whether the inviter may still invite: an admin, or a live API key with that scope. */
const inviterMayInvite = (now: Date, hasAdminKey: boolean): RawBuilder<boolean> => sql<boolean>`
  case inviter_kind
    when 'user' then exists (
      select from users where users.id::text = inviter_id
        and disabled_at is null and 'admin' = any(roles))
    else (inviter_id = 'env' and ${hasAdminKey}) or exists (
      select from api_keys where api_keys.id::text = inviter_id and api_keys.revoked_at is null
        and (api_keys.expires_at is null or api_keys.expires_at > ${now})
        and 'admin' = any(scopes))
  end`;

async function count(db: Database, where: (where: Where) => ReturnType<Where['and']>) {
  const { total } = await db
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('total'))
    .where((eb) => where(eb))
    .executeTakeFirstOrThrow();
  return total;
}

/** Whether another message fits into the limit of the hour. */
const fitsHour = async (db: Database, now: Date, { perHour }: InvitationLimits) =>
  (await count(db, (where) =>
    where.and([where('sent_at', '>', new Date(now.getTime() - 60 * minuteMs))]),
  )) < perHour;

type InsertOutcome = 'added' | 'already' | 'too_many' | 'hourly';

/** Invitations in SQL. */
export function createInvitationStore({ config, db }: Pick<Resources, 'config' | 'db'>) {
  const mayInvite = (now: Date) => inviterMayInvite(now, config.ADMIN_API_KEY !== undefined);

  return {
    find: (id: string): Promise<Invitation | undefined> =>
      db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst(),

    /** At most `limit` invitations older than the one with the id `after`, newest first. */
    async list(
      limit: number,
      { status, email, q }: InvitationFilters,
      { now, after }: { now: Date; after: string | undefined },
      signal?: AbortSignal,
    ): Promise<Invitation[]> {
      let query = cancellable(db, signal)
        .selectFrom('invitations')
        .selectAll()
        .orderBy('id', 'desc')
        .limit(limit);
      if (status !== undefined) query = query.where((where) => hasStatus(where, status, now));
      if (email !== undefined) query = query.where('email', '=', email);
      if (q !== undefined)
        query = query.where('email', 'like', contains(storableText(q).toLowerCase()));
      if (after !== undefined) query = query.where('id', '<', after);
      return query.execute();
    },

    countPending: (now: Date, signal?: AbortSignal): Promise<number> =>
      count(cancellable(db, signal), (where) => isPending(where, now)),

    /** Whether an invitation to a lower-case address is pending, by someone who may invite. */
    async isPending(email: string, now: Date): Promise<boolean> {
      const query = db
        .selectFrom('invitations')
        .select('id')
        .where('email', '=', email)
        .where((where) => isPending(where, now))
        .where(mayInvite(now))
        .limit(1);
      return (await query.executeTakeFirst()) !== undefined;
    },

    /** The pending invitation with this token, by someone who may still invite. */
    findByToken: (hash: string, now: Date): Promise<Invitation | undefined> =>
      db
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', hash)
        .where((where) => isPending(where, now))
        .where(mayInvite(now))
        .executeTakeFirst(),

    /** The invitation of a link that was not used in time. */
    findExpiredByToken: (hash: string, now: Date): Promise<Invitation | undefined> =>
      db
        .selectFrom('invitations')
        .selectAll()
        .where('token_hash', '=', hash)
        .where(isOpen)
        .where('expires_at', '<=', now)
        .executeTakeFirst(),

    /** Adds an invitation, unless its address has a pending one or a limit forbids it. */
    insert: (invitation: Invitation, limits: InvitationLimits): Promise<InsertOutcome> =>
      alone(async (within) => {
        const now = invitation.created_at;
        const has = (email?: string) =>
          count(within, (where) =>
            where.and([
              isPending(where, now),
              ...(email === undefined ? [] : [where('email', '=', email)]),
            ]),
          );
        if ((await has(invitation.email)) > 0) return 'already';
        if ((await has()) >= limits.pending) return 'too_many';
        if (!(await fitsHour(within, now, limits))) return 'hourly';
        await within.insertInto('invitations').values(invitation).execute();
        return 'added';
      }),

    /**
     * Replaces the token of an open invitation, which starts to run again. The caller becomes its
     * inviter. Undefined if it can't be sent again: accepted, revoked, sent too often or just now.
     */
    resend: (
      id: string,
      next: Pick<Invitation, 'token_hash' | 'inviter_kind' | 'inviter_id' | 'sent_at'>,
      limits: InvitationLimits & { sends: number; pauseMs: number },
    ): Promise<Invitation | 'hourly' | undefined> =>
      alone(async (within) => {
        const now = next.sent_at;
        if (!(await fitsHour(within, now, limits))) return 'hourly';
        return within
          .updateTable('invitations')
          .set((set) => ({
            ...next,
            sends: set('sends', '+', 1),
            expires_at: sql<Date>`${now}::timestamptz + make_interval(days => lifetime_days)`,
          }))
          .where('id', '=', id)
          .where((where) => where.and([isOpen(where), isUnclaimed(where, now)]))
          .where('sends', '<', limits.sends)
          .where('sent_at', '<=', new Date(now.getTime() - limits.pauseMs))
          .returningAll()
          .executeTakeFirst();
      }),

    /** Removes an invitation whose message could not be queued. */
    async withdraw(id: string): Promise<void> {
      await db.deleteFrom('invitations').where('id', '=', id).execute();
    },

    /**
     * Takes back a `resend` whose message could not be queued: the link from before works again.
     * Does nothing if the invitation was changed meanwhile.
     */
    async withdrawResend(before: Invitation, { token_hash: hash }: Invitation): Promise<void> {
      const { id, token_hash, inviter_kind, inviter_id, sent_at, sends, expires_at } = before;
      await db
        .updateTable('invitations')
        .set({ token_hash, inviter_kind, inviter_id, sent_at, sends, expires_at })
        .where('id', '=', id)
        .where('token_hash', '=', hash)
        .execute();
    },

    /**
     * Revokes an open invitation. Undefined if it is not open, or is being accepted right now. The
     * hash of its link is kept for `unrevoke`; the link of a revoked invitation is never accepted.
     */
    revoke: (id: string, now: Date): Promise<Invitation | undefined> =>
      db
        .updateTable('invitations')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where((where) => where.and([isOpen(where), isUnclaimed(where, now)]))
        .returningAll()
        .executeTakeFirst(),

    /**
     * Makes an invitation that was revoked after `since` what it was before. Undefined if it can't
     * be: its address has been invited again meanwhile, or its inviter may not invite anymore.
     */
    unrevoke: (id: string, since: Date, now: Date): Promise<Invitation | undefined> =>
      alone(async (within) =>
        within
          .updateTable('invitations')
          .set({ revoked_at: null })
          .where('id', '=', id)
          .where('accepted_at', 'is', null)
          .where('revoked_at', '>=', since)
          .where('token_hash', 'is not', null)
          .where(mayInvite(now))
          .where(
            sql<boolean>`not exists (select from invitations as other
              where other.email = invitations.email and other.id <> invitations.id
                and other.accepted_at is null and other.revoked_at is null
                and other.expires_at > ${now})`,
          )
          .returningAll()
          .executeTakeFirst(),
      ),

    /** Revokes the open invitations of a user who may not invite anymore. */
    revokeOf: (userId: string, now: Date): Promise<Invitation[]> =>
      db
        .updateTable('invitations')
        .set({ revoked_at: now, token_hash: null })
        .where('inviter_kind', '=', 'user')
        .where('inviter_id', '=', userId)
        .where((where) => isOpen(where))
        .returningAll()
        .execute(),

    /** Begins to accept an invitation. Of concurrent calls, one gets it. */
    claim: (hash: string, now: Date): Promise<(Invitation & Claim) | undefined> =>
      db
        .updateTable('invitations')
        .set({ claimed_at: now })
        .where('token_hash', '=', hash)
        .where((where) => where.and([isPending(where, now), isUnclaimed(where, now)]))
        .where(mayInvite(now))
        .returningAll()
        .returning(sql<Date>`claimed_at`.as('claimed_at'))
        .executeTakeFirst(),

    /** Gives up a claim, so that the link works again. */
    async release({ id, claimed_at: at }: Claim): Promise<void> {
      await db
        .updateTable('invitations')
        .set({ claimed_at: null })
        .where('id', '=', id)
        .where('claimed_at', '=', at)
        .where('accepted_at', 'is', null)
        .execute();
    },

    /**
     * Completes a claim within the transaction that gives the role. False if it is void by now.
     */
    async accept(
      within: Database,
      { id, claimed_at: at }: Claim,
      { userId, now }: { userId: string; now: Date },
    ): Promise<boolean> {
      const { numUpdatedRows } = await within
        .updateTable('invitations')
        .set({ accepted_at: now, accepted_by: userId, token_hash: null })
        .where('id', '=', id)
        .where('claimed_at', '=', at)
        .where((where) => isOpen(where))
        .where(mayInvite(now))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Adds a role to a user, and returns all roles from before; undefined if it was there. */
    async giveRole(within: Database, userId: string, role: Role): Promise<string[] | undefined> {
      const row = await within
        .updateTable('users')
        .set({ roles: sql<string[]>`array_append(roles, ${role})` })
        .where('id', '=', userId)
        .where(sql<boolean>`not (${role} = any(roles))`)
        .returning(sql<string[]>`array_remove(roles, ${role})`.as('before'))
        .executeTakeFirst();
      return row?.before;
    },
  };

  /** Runs alone on all replicas, so that concurrent calls can't exceed a limit together. */
  function alone<Result>(run: (within: Database) => Promise<Result>): Promise<Result> {
    return db.transaction().execute(async (within) => {
      await sql`select pg_advisory_xact_lock(${invitationLock})`.execute(within);
      return run(within);
    });
  }
}

export type InvitationStore = ReturnType<typeof createInvitationStore>;
