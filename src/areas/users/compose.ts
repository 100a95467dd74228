import { parseDomainRule } from '../../lib/net/domain-rules.ts';
import { addressesOf, entriesOf } from '../../lib/text/lists.ts';
import type { Resources } from '../../platform/resources.ts';
import { createEntry } from './entry.ts';
import { createInvitationStore } from './invitations/store.ts';
import { createReviewAccount } from './review-account.ts';
import { createUsers } from './service.ts';
import { createUserStore, type User } from './store.ts';

export interface UserListeners {
  /** Called and awaited after each change that affects what a user's sessions may do. */
  onChange: readonly ((user: User) => Promise<unknown>)[];
}

/** Users and their identities. */
export function composeUsers({ config, clock, db }: Resources, { onChange }: UserListeners) {
  const store = createUserStore(db);
  const adminEmails = new Set(addressesOf(config.ADMIN_EMAILS));
  const review = createReviewAccount(config, clock);
  const invitationStore = createInvitationStore(db, {
    hasAdminKey: config.ADMIN_API_KEY !== undefined,
  });
  const entry = createEntry({
    signUp: config.SIGN_UP,
    domains: entriesOf(config.SIGN_UP_DOMAINS).flatMap((text) => parseDomainRule(text) ?? []),
    adminEmails,
    review,
    isExpected: (identity) => store.isClaimable(identity),
    isInvited: (email) => invitationStore.isPending(email, new Date(clock.now())),
  });
  return {
    entry,
    review,
    invitationStore,
    findUser: (id: string) => store.find(id),
    noteSeen: (id: string) => store.setSeen(id, new Date(clock.now())),
    users: createUsers({
      store,
      clock,
      adminEmails,
      entry,
      review,
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
