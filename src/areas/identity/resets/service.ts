import { dayMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { requestErrors, retryAfter } from '../../../platform/errors/errors.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import { systemActor, userActor } from '../../../platform/http/requests/request-actor.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { Session } from '../sessions/service.ts';
import type { ResetParts } from './context.ts';
import { factorResetErrors } from './errors.ts';
import {
  type CancelReason,
  countSince,
  type FactorReset,
  hasFactor,
  insertReset,
  isAdmin,
  isDisabled,
  lockOpen,
  moveReset,
} from './store.ts';

/** How long an approval waits before it takes effect. */
export const waitMs = dayMs;
/** How long a request waits for its approval. */
const requestMs = 7 * dayMs;
const perDay = 3;
/** Admins who have to take part, besides the user. */
const adminsNeeded = 2;

/** The acting admin's id. Throws `factor_resets.person_required`. */
function personOf({ actor: { kind, id } }: AuditActor): string {
  if (kind !== 'user' || id === undefined) throw factorResetErrors.person_required();
  return id;
}

/** Ends requests that nobody has approved in time. */
export async function expireOverdue({ store, notices, log, clock }: ResetParts): Promise<void> {
  const record = log('factor_reset.expired', systemActor);
  for (const expired of await store.expire(new Date(clock.now()), record))
    await notices.tell(expired);
}

/** Resets of second factors: requested by one admin, approved by another one. */
export function createFactorResets(parts: ResetParts) {
  const { store, users, secondFactor, notices, log, clock, logger, tokenOf } = parts;
  return {
    /** The open or else the last reset of a user. Throws `users.not_found`. */
    async latest(userId: string): Promise<FactorReset | undefined> {
      await users.get(userId);
      return store.latest(userId);
    },

    /** At most 20 open resets, newest first. */
    listOpen: (signal?: AbortSignal): Promise<FactorReset[]> => store.listOpen(20, signal),

    /**
     * Requests a reset for another user, and tells everybody. Throws `users.not_found`,
     * `factor_resets.person_required`, `.own_account`, `.user_disabled`, `.already_open`,
     * `.nothing_to_reset`, `.too_few_admins`, `.rate_limited`.
     */
    async request(userId: string, reason: string, by: AuditActor): Promise<FactorReset> {
      const adminId = otherAdmin(userId, by);
      await users.get(userId);
      // One that is overdue does not stand in the way of a new one.
      await expireOverdue(parts);
      const reset = await store.underLock(async (within) => {
        await requireResettable(within, userId, adminId);
        const added = await insertReset(within, newReset(userId, adminId, reason));
        if (added === undefined) throw factorResetErrors.already_open();
        await log('factor_reset.requested', by)(within, added);
        return added;
      });
      await notices.tell(reset);
      return reset;
    },

    /**
     * Approves the open reset of a user, which takes effect 24 hours later. With `id`, only that
     * one. The same admin may repeat the call. Throws `factor_resets.person_required`,
     * `.own_account`, `.own_request`, `.not_found`, `.changed`, `.already_approved`,
     * `.requester_gone`, `.user_disabled`.
     */
    async approve(userId: string, id: string | undefined, by: AuditActor): Promise<FactorReset> {
      const adminId = otherAdmin(userId, by);
      const { reset, isNew } = await store.underLock(async (within) => {
        const found = await lockOpen(within, userId);
        if (found === undefined) throw factorResetErrors.not_found();
        if (id !== undefined && found.id !== id) throw factorResetErrors.changed();
        // The client may repeat a call whose answer it never got.
        if (found.approved_by === adminId) return { reset: found, isNew: false };
        await requireApprovable(within, found, adminId);
        const at = new Date(clock.now());
        const approved = await moveReset(within, found, {
          state: 'approved',
          changed_at: at,
          approved_by: adminId,
          approved_at: at,
          due_at: new Date(at.getTime() + waitMs),
        });
        await log('factor_reset.approved', by)(within, approved);
        return { reset: approved, isNew: true };
      });
      if (isNew) await notices.tell(reset);
      return reset;
    },

    /**
     * Cancels the open reset of a user, for any admin. Repeating it changes nothing. Throws
     * `factor_resets.not_found`, `.took_effect`.
     */
    async cancel(userId: string, by: AuditActor): Promise<void> {
      const reason = by.actor.id === userId ? 'user' : 'admin';
      if (await cancel({ user_id: userId }, reason, by)) return;
      const last = await store.latest(userId);
      if (last === undefined) throw factorResetErrors.not_found();
      if (last.state === 'completing' || last.state === 'completed')
        throw factorResetErrors.took_effect();
    },

    /**
     * Cancels the reset of your own account, from a session with the second factor. Throws
     * `second_factor.aal2_required`.
     */
    async cancelOwn(session: Session, from: RequestSource): Promise<void> {
      await secondFactor.requireSecondFactor(session);
      await cancel({ user_id: session.userId }, 'user', userActor(session.userId, from));
    },

    /** Cancels the reset that a link is for. Unknown and used tokens change nothing. */
    async cancelByLink(token: string, { address, requestId }: RequestSource): Promise<void> {
      const by = { actor: { kind: 'anonymous' }, address, requestId } as const;
      await cancel({ token_hash: sha256Hex(token) }, 'link', by);
    },

    /**
     * Cancels the reset of a user who has just used or added a factor, and so has not lost every
     * one. Never rejects: the reset itself checks that again before it takes effect.
     */
    async noteUse(userId: string, from: RequestSource): Promise<void> {
      try {
        // Every sign-in with a factor comes here, and hardly any has a reset.
        if (await store.hasOpen(userId))
          await cancel({ user_id: userId }, 'factor_used', userActor(userId, from));
      } catch (error) {
        logger.warn({ err: error }, 'a 2FA reset could not be canceled yet');
      }
    },
  };

  /**
   * The id of the acting admin, who has just signed in and is not the user. Throws
   * `factor_resets.person_required`, `.own_account`, `auth.step_up_required`.
   */
  function otherAdmin(userId: string, by: AuditActor): string {
    const adminId = personOf(by);
    requireFresh(by, clock.now());
    if (adminId === userId) throw factorResetErrors.own_account();
    return adminId;
  }

  /** Throws the errors of a request that can't be made. */
  async function requireResettable(
    within: Database,
    userId: string,
    adminId: string,
  ): Promise<void> {
    if (!(await isAdmin(within, adminId))) throw requestErrors.forbidden();
    if ((await isDisabled(within, userId)) !== false) throw factorResetErrors.user_disabled();
    if ((await lockOpen(within, userId)) !== undefined) throw factorResetErrors.already_open();
    if (!(await hasFactor(within, userId))) throw factorResetErrors.nothing_to_reset();
    const missing = adminsNeeded - (await store.countOtherAdmins(within, userId));
    if (missing > 0) throw factorResetErrors.too_few_admins({ extra: { admins_needed: missing } });
    if ((await countSince(within, userId, new Date(clock.now() - dayMs))) >= perDay)
      throw factorResetErrors.rate_limited(retryAfter(dayMs / 1000));
  }

  /** Throws the errors of a reset that this admin can't approve. */
  async function requireApprovable(
    within: Database,
    reset: FactorReset,
    adminId: string,
  ): Promise<void> {
    if (reset.state !== 'requested') throw factorResetErrors.already_approved();
    if (reset.expires_at.getTime() <= clock.now()) throw factorResetErrors.not_found();
    if (reset.requested_by === adminId) throw factorResetErrors.own_request();
    if (!(await isAdmin(within, adminId))) throw requestErrors.forbidden();
    if (!(await isAdmin(within, reset.requested_by))) throw factorResetErrors.requester_gone();
    if ((await isDisabled(within, reset.user_id)) !== false)
      throw factorResetErrors.user_disabled();
  }

  function newReset(userId: string, adminId: string, reason: string): FactorReset {
    const now = clock.now();
    const [id, at] = [uuidv7(now), new Date(now)];
    return {
      id,
      user_id: userId,
      state: 'requested',
      changed_at: at,
      reason,
      requested_by: adminId,
      requested_at: at,
      expires_at: new Date(now + requestMs),
      approved_by: null,
      approved_at: null,
      due_at: null,
      canceled_by: null,
      cancel_reason: null,
      token_hash: sha256Hex(tokenOf(id)),
      told: null,
    };
  }

  /** Cancels a reset and tells everybody. False without one. */
  async function cancel(
    which: { user_id: string } | { token_hash: string },
    reason: CancelReason,
    by: AuditActor,
  ): Promise<boolean> {
    const { kind, id = null } = by.actor;
    const set = {
      changed_at: new Date(clock.now()),
      canceled_by: kind === 'user' ? id : null,
      cancel_reason: reason,
    };
    const canceled = await store.cancel(which, set, log('factor_reset.canceled', by));
    if (canceled !== undefined) await notices.tell(canceled);
    return canceled !== undefined;
  }
}

export type FactorResets = ReturnType<typeof createFactorResets>;
