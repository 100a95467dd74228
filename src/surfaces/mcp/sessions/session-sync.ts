import { isStoreUnavailable } from '../../../platform/errors/store-failures.ts';
import type { Session } from './local-sessions.ts';
import type { SessionRecords } from './session-records.ts';

/** Synchronizes the sessions of this replica with Redis, while Redis is available. */
export function createSessionSync(records: SessionRecords, onError: (error: unknown) => void) {
  return {
    /** Marks a session as used; true when it has ended. False while Redis is unavailable. */
    async isEnded(session: Session): Promise<boolean> {
      try {
        const record = await records.touch(session, session.params);
        if (record === 'ended') return true;
        if (session.hasUnsyncedChanges || (record?.isNew === true && session.subscribed.size > 0)) {
          await records.setSubscriptions(session, [...session.subscribed]);
          session.hasUnsyncedChanges = false;
        }
      } catch (error) {
        if (!isStoreUnavailable(error)) throw error;
        onError(error);
      }
      return false;
    },

    /** Waits for a write to Redis. A failed one is repeated on the next use of the session. */
    async waitForWrite(session: Session, write: Promise<unknown>): Promise<void> {
      await write.catch((error: unknown) => {
        session.hasUnsyncedChanges = true;
        onError(error);
      });
    },

    /** Loads the subscriptions from Redis. Without Redis, the local ones stay unchanged. */
    async refresh(session: Session): Promise<void> {
      if (session.hasUnsyncedChanges) return;
      const uris = await records.subscriptions(session).catch(onError);
      if (uris !== undefined) session.subscribed = new Set(uris);
    },
  };
}
