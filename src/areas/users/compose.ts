import { addressesOf } from '../../lib/text/lists.ts';
import type { Resources } from '../../platform/resources.ts';
import { createUsers } from './service.ts';
import { createUserStore, type User } from './store.ts';

export interface UserListeners {
  /** Called and awaited after each change that affects what a user's sessions may do. */
  onChange: readonly ((user: User) => Promise<unknown>)[];
}

/** Users and their identities. */
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
        // All listeners run even if one fails, as they do while Redis is unavailable.
        const results = await Promise.allSettled(onChange.map((listener) => listener(user)));
        const failed = results.find((each) => each.status === 'rejected');
        if (failed !== undefined) throw failed.reason;
      },
    }),
  };
}

export type People = ReturnType<typeof composeUsers>;
