import { requireFresh } from '../../../platform/identity/freshness.ts';
import type { AuditActor } from '../../audit/service.ts';
import type { SessionParts } from './context.ts';
import type { SessionRecord } from './records.ts';

/** Other people's sessions, for admins. Ending them throws `auth.step_up_required`. */
export const createSessionAdmin = ({ sessions, users, audit, clock }: SessionParts) => ({
  /** The user's live sessions, newest first. Throws `users.not_found`. */
  async listOf(userId: string): Promise<SessionRecord[]> {
    await users.get(userId);
    return sessions.list(userId);
  },

  /** Ends a session. Returns false when the user has no such session, or no longer. */
  async end(userId: string, sessionId: string, by: AuditActor): Promise<boolean> {
    requireFresh(by, clock.now());
    if (!(await sessions.end(userId, sessionId))) return false;
    await audit.record({
      action: 'session.revoked',
      ...by,
      target: { kind: 'session', id: sessionId },
      details: { user_id: userId },
    });
    return true;
  },

  /** Ends all sessions of a user, and returns how many. Throws `users.not_found`. */
  async endAll(userId: string, by: AuditActor): Promise<number> {
    requireFresh(by, clock.now());
    await users.get(userId);
    const ended = await sessions.endAll(userId);
    const target = { kind: 'user', id: userId };
    await audit.record({ action: 'session.revoked_all', ...by, target });
    return ended;
  },
});

export type SessionAdmin = ReturnType<typeof createSessionAdmin>;
