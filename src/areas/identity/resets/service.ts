import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import { dayMs } from '../../../lib/durations.ts';
import { uuidv7 } from '../../../lib/ids.ts';
import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { requireFresh } from '../../../platform/identity/freshness.ts';
import { systemActor, userActor } from '../../../platform/http/requests/request-actor.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { Session } from '../sessions/service.ts';
import type { Users } from '../users/service.ts';
import type { EnrolledFactors } from '../factors/enrolled-factors.ts';
import { factorResetErrors } from './errors.ts';
import type { ResetNotices } from './notices.ts';
import type { ResetLog } from './reset-log.ts';
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
  type ResetStore,
} from './store.ts';

export interface FactorResetsDeps {
  store: ResetStore;
  users: Pick<Users, 'get'>;
  factors: Pick<EnrolledFactors, 'requireSecondFactor'>;
  notices: ResetNotices;
  log: ResetLog;
  clock: Clock;
  logger: Logger;
  /** The token of the link that cancels a reset. */
  tokenOf: (resetId: string) => string;
}

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

function newReset(
  { clock, tokenOf }: FactorResetsDeps,
  { userId, adminId, reason }: { userId: string; adminId: string; reason: string },
): FactorReset {
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

/** Throws the errors of a request that can't be made. */
async function requireResettable(
  { store, clock }: FactorResetsDeps,
  within: Database,
  { userId, adminId }: { userId: string; adminId: string },
): Promise<void> {
  if (!(await isAdmin(within, adminId))) throw requestErrors.forbidden();
  if ((await isDisabled(within, userId)) !== false) throw factorResetErrors.user_disabled();
  if ((await lockOpen(within, userId)) !== undefined) throw factorResetErrors.already_open();
  if (!(await hasFactor(within, userId))) throw factorResetErrors.nothing_to_reset();
  const missing = adminsNeeded - (await store.countOtherAdmins(within, userId));
  if (missing > 0) throw factorResetErrors.too_few_admins({ extra: { admins_needed: missing } });
  if ((await countSince(within, userId, new Date(clock.now() - dayMs))) >= perDay)
    throw factorResetErrors.rate_limited({
      headers: { 'retry-after': String(dayMs / 1000) },
      extra: { retry_after: dayMs / 1000 },
    });
}

/** Creates the function that ends requests that nobody has approved in time. */
export function createExpiry({
  store,
  notices,
  log,
  clock,
}: Pick<FactorResetsDeps, 'store' | 'notices' | 'log' | 'clock'>) {
  const record = log('factor_reset.expired', systemActor);
  return async (): Promise<void> => {
    for (const expired of await store.expire(new Date(clock.now()), record))
      await notices.tell(expired);
  };
}

function createRequest(deps: FactorResetsDeps) {
  const { store, users, notices, log, clock } = deps;
  const expireOverdue = createExpiry(deps);
  return async (userId: string, reason: string, by: AuditActor): Promise<FactorReset> => {
    const adminId = personOf(by);
    requireFresh(by, clock.now());
    if (adminId === userId) throw factorResetErrors.own_account();
    await users.get(userId);
    // One that is overdue does not stand in the way of a new one.
    await expireOverdue();
    const reset = await store.underLock(async (within) => {
      await requireResettable(deps, within, { userId, adminId });
      const added = await insertReset(within, newReset(deps, { userId, adminId, reason }));
      if (added === undefined) throw factorResetErrors.already_open();
      await log('factor_reset.requested', by)(within, added);
      return added;
    });
    await notices.tell(reset);
    return reset;
  };
}

/** Throws the errors of a reset that this admin can't approve. */
async function requireApprovable(
  { clock }: FactorResetsDeps,
  within: Database,
  reset: FactorReset,
  adminId: string,
): Promise<void> {
  if (reset.state !== 'requested') throw factorResetErrors.already_approved();
  if (reset.expires_at.getTime() <= clock.now()) throw factorResetErrors.not_found();
  if (reset.requested_by === adminId) throw factorResetErrors.own_request();
  if (!(await isAdmin(within, adminId))) throw requestErrors.forbidden();
  if (!(await isAdmin(within, reset.requested_by))) throw factorResetErrors.requester_gone();
  if ((await isDisabled(within, reset.user_id)) !== false) throw factorResetErrors.user_disabled();
}

function createApproval(deps: FactorResetsDeps) {
  const { store, notices, log, clock } = deps;
  return async (userId: string, id: string | undefined, by: AuditActor): Promise<FactorReset> => {
    const adminId = personOf(by);
    requireFresh(by, clock.now());
    if (adminId === userId) throw factorResetErrors.own_account();
    const { reset, isNew } = await store.underLock(async (within) => {
      const found = await lockOpen(within, userId);
      if (found === undefined) throw factorResetErrors.not_found();
      if (id !== undefined && found.id !== id) throw factorResetErrors.changed();
      // The client may repeat a call whose answer it never got.
      if (found.approved_by === adminId) return { reset: found, isNew: false };
      await requireApprovable(deps, within, found, adminId);
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
  };
}

/** Creates the function that cancels a reset and tells everybody. It returns false without one. */
function createCancel({ store, notices, log, clock }: FactorResetsDeps) {
  return async (
    which: { user_id: string } | { token_hash: string },
    reason: CancelReason,
    by: AuditActor,
  ): Promise<boolean> => {
    const { kind, id = null } = by.actor;
    const set = {
      changed_at: new Date(clock.now()),
      canceled_by: kind === 'user' ? id : null,
      cancel_reason: reason,
    };
    const canceled = await store.cancel(which, set, log('factor_reset.canceled', by));
    if (canceled !== undefined) await notices.tell(canceled);
    return canceled !== undefined;
  };
}

function createCancellation(deps: FactorResetsDeps) {
  const { store, factors, logger } = deps;
  const cancel = createCancel(deps);

  return {
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
     * Cancels the reset of the own account, from a session with the second factor. Throws
     * `second_factor.aal2_required`.
     */
    async cancelOwn(session: Session, from: RequestSource): Promise<void> {
      await factors.requireSecondFactor(session);
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
}

/** Resets of second factors: requested by one admin, approved by another one. */
export function createFactorResets(deps: FactorResetsDeps) {
  const { store, users } = deps;
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
    request: createRequest(deps),

    /**
     * Approves the open reset of a user, which takes effect 24 hours later. With `id`, only that
     * one. The same admin may repeat the call. Throws `factor_resets.person_required`,
     * `.own_account`, `.own_request`, `.not_found`, `.changed`, `.already_approved`,
     * `.requester_gone`, `.user_disabled`.
     */
    approve: createApproval(deps),

    ...createCancellation(deps),
  };
}

export type FactorResets = ReturnType<typeof createFactorResets>;
