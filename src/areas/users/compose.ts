import { addressesOf } from '../../lib/text/lists.ts';
import type { Resources } from '../../platform/resources.ts';
import { createUsers } from './service.ts';
import { createUserStore, type User } from './store.ts';

export interface UserListeners {
  /** Each is told of every change of what a person may do, before the answer. */
  onChange: readonly ((user: User) => Promise<unknown>)[];
}

/** People. */
export function composeUsers({ config, clock, db }: Resources, { onChange }: UserListeners) {
  const store = createUserStore(db);
  return {
    findUser: (id: string) => store.find(id),
    noteSeen: (id: string) => store.setSeen(id, new Date(clock.now())),
    users: createUsers({
      store,
      clock,
      adminEmails: new Set(addressesOf(config.ADMIN_EMAILS)),
      async onChange(user) {
        // Each for itself: what the database knows must not wait for a Redis that is away.
        const results = await Promise.allSettled(onChange.map((listener) => listener(user)));
        const failed = results.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      },
    }),
  };
}

export type People = ReturnType<typeof composeUsers>;
