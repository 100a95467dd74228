import type { Publisher } from '../../platform/bus/types.ts';
import type { Sessions } from './sessions.ts';

export interface Announcing {
  publisher: Pick<Publisher, 'publish'>;
  /** Tells all replicas that something about this person has changed: who holds sockets of theirs looks again. */
  changed: (userId: string) => void;
  /** Told when all sessions of a person have ended, except one: their devices count as strangers from now on. */
  forgetDevices: (userId: string, exceptSession: string | undefined) => Promise<void>;
}

/** The same sessions; whatever ends one, or changes what its person may do, is told. Nobody waits for it. */
export function announceSessions(
  sessions: Sessions,
  { publisher, changed, forgetDevices }: Announcing,
): Sessions {
  /** The event goes first: the signal closes the sockets that are to hear it. */
  function ended(userId: string, sessionId: string | null, count: number): void {
    const told = publisher.publish(`svc:${userId}`, {
      type: 'session.revoked',
      data: { session_id: sessionId, count },
    });
    void told.catch(() => undefined).then(() => changed(userId));
  }

  return {
    ...sessions,

    async end(userId, sessionId) {
      const hasEnded = await sessions.end(userId, sessionId);
      if (hasEnded) ended(userId, sessionId, 1);
      return hasEnded;
    },

    async endAll(userId, except) {
      const count = await sessions.endAll(userId, except);
      if (count > 0) ended(userId, null, count);
      await forgetDevices(userId, except);
      return count;
    },

    async endOnDevice(userId, deviceId) {
      const count = await sessions.endOnDevice(userId, deviceId);
      if (count > 0) ended(userId, null, count);
      return count;
    },

    async setDeviceState(userId, deviceId, state) {
      const result = await sessions.setDeviceState(userId, deviceId, state);
      changed(userId);
      return result;
    },

    async userChanged(user) {
      await sessions.userChanged(user);
      changed(user.id);
    },

    refresh: (text, { onReuse, prove }) =>
      sessions.refresh(text, {
        prove,
        async onReuse(reused) {
          ended(reused.userId, reused.sessionId, 1);
          await onReuse(reused);
        },
      }),
  };
}
