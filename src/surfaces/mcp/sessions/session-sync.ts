import { isStoreUnavailable } from '../../../platform/errors/store-failures.ts';
import type { Session } from './held-sessions.ts';
import type { SessionRecords } from './session-records.ts';

/** Keeps what this replica knows of a session and what Redis knows equal, while Redis is there. */
export function createSessionSync(records: SessionRecords, onError: (error: unknown) => void) {
  return {
    /** Marks a session as used; true when it has ended. Without Redis it goes on. */
    async isEnded(session: Session): Promise<boolean> {
      try {
        const record = await records.touch(session, session.params);
        if (record === 'ended') return true;
        if (session.isAhead || (record?.isNew === true && session.subscribed.size > 0)) {
          await records.setSubscriptions(session, [...session.subscribed]);
          session.isAhead = false;
        }
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        onError(error);
      }
      return false;
    },

    /** Waits for a write to Redis. One that fails is made good when the session is used next. */
    async written(session: Session, write: Promise<unknown>): Promise<void> {
      await write.catch((error: unknown) => {
        session.isAhead = true;
        onError(error);
      });
    },

    /** Reads the subscriptions made on other replicas. Without Redis they stay as they are. */
    async refresh(session: Session): Promise<void> {
      if (session.isAhead) return;
      const uris = await records.subscriptions(session).catch(onError);
      if (uris !== undefined) session.subscribed = new Set(uris);
    },
  };
}

export type SessionSync = ReturnType<typeof createSessionSync>;
