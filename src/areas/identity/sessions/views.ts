import { publicSessionRecord, type SessionRecord, type UserRecord } from './records.ts';
import type { Session } from './service.ts';

/** Returns the same object for the same records, so that values derived from it can be cached. */
export function createSessionViews() {
  const views = new WeakMap<SessionRecord, Session>();
  return (userId: string, record: SessionRecord, user: UserRecord): Session => {
    const cached = views.get(record);
    if (cached?.user === user) return cached;
    const view = Object.freeze({ ...publicSessionRecord.parse(record), userId, user });
    views.set(record, view);
    return view;
  };
}
