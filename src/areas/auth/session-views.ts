import { type SessionRecord, type UserRecord, withoutSecret } from './session-store.ts';
import type { Session } from './sessions.ts';

/** Gives the same object for the same facts, so that what is made of it can be remembered. */
export function createSessionViews() {
  const views = new WeakMap<SessionRecord, Session>();
  return (userId: string, record: SessionRecord, user: UserRecord): Session => {
    const before = views.get(record);
    if (before?.user === user) return before;
    const view = Object.freeze({ ...withoutSecret.parse(record), userId, user });
    views.set(record, view);
    return view;
  };
}
