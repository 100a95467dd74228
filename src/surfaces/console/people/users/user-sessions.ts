import type { AuditActor } from '../../../../areas/audit/service.ts';
import type { ConsoleServices } from '../../context.ts';

type Services = Pick<ConsoleServices, 'users' | 'sessions' | 'audit'>;

/** Ends a session of a user. A session that has ended already is no error. */
export async function endSession(
  { sessions, audit }: Services,
  { userId, sessionId }: { userId: string; sessionId: string },
  actor: AuditActor,
): Promise<void> {
  if (!(await sessions.end(userId, sessionId))) return;
  await audit.record({
    action: 'session.revoked',
    ...actor,
    target: { kind: 'session', id: sessionId },
    details: { user_id: userId },
  });
}

/** Ends all sessions of a user. Throws `users.not_found`. */
export async function endAllSessions(
  { users, sessions, audit }: Services,
  userId: string,
  actor: AuditActor,
): Promise<void> {
  await users.get(userId);
  await sessions.endAll(userId);
  await audit.record({
    action: 'session.revoked_all',
    ...actor,
    target: { kind: 'user', id: userId },
  });
}
