import type { Publisher } from '../../../platform/bus/types.ts';
import type { Sessions } from './service.ts';

export interface SessionEventsDeps {
  publisher: Pick<Publisher, 'publish'>;
  /** Tells all replicas that the user changed, so that they check the user's sockets again. */
  signalUserChanged: (userId: string) => void;
  /** Revokes known devices. Called when all sessions of a user, or all but one, have ended. */
  forgetDevices: (userId: string, exceptSession: string | undefined) => Promise<void>;
}

/**
 * Wraps `sessions` to publish an event whenever a session ends or the rights of its user change.
 * Callers don't wait for the events.
 */
export function announceSessions(
  sessions: Sessions,
  { publisher, signalUserChanged, forgetDevices }: SessionEventsDeps,
): Sessions {
  /** The event goes first, because the signal closes the sockets that are to receive it. */
  function publishEnd(userId: string, sessionId: string | null, count: number): void {
    const published = publisher.publish(`svc:${userId}`, {
      type: 'session.revoked',
      data: { session_id: sessionId, count },
    });
    void published.catch(() => undefined).then(() => signalUserChanged(userId));
  }

  return {
    ...sessions,

    async end(userId, sessionId) {
      const hasEnded = await sessions.end(userId, sessionId);
      if (hasEnded) publishEnd(userId, sessionId, 1);
      return hasEnded;
    },

    async endAll(userId, except) {
      const count = await sessions.endAll(userId, except);
      if (count > 0) publishEnd(userId, null, count);
      await forgetDevices(userId, except);
      return count;
    },

    async endOnDevice(userId, deviceId) {
      const count = await sessions.endOnDevice(userId, deviceId);
      if (count > 0) publishEnd(userId, null, count);
      return count;
    },

    async setDeviceState(userId, deviceId, state) {
      const result = await sessions.setDeviceState(userId, deviceId, state);
      signalUserChanged(userId);
      return result;
    },

    erase: (userId) => sessions.erase(userId).then(() => publishEnd(userId, null, 0)),

    async userChanged(user) {
      await sessions.userChanged(user);
      signalUserChanged(user.id);
    },

    refresh: (text, { onReuse, prove }) =>
      sessions.refresh(text, {
        prove,
        async onReuse(reused) {
          publishEnd(reused.userId, reused.sessionId, 1);
          await onReuse(reused);
        },
      }),
  };
}
