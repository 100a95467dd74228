import { parseDomainRule } from '../../lib/net/domain-rules.ts';
import { addressesOf, entriesOf } from '../../lib/text/lists.ts';
import type { Resources } from '../../platform/resources.ts';
import type { Admission } from '../waitlist/admission.ts';
import { createEntry } from './entry.ts';
import { createInvitationStore } from './invitations/store.ts';
import { createReviewAccount } from './review-account.ts';
import { createUsers } from './service.ts';
import { createUserStore, type User } from './store.ts';

export interface UserNeeds {
  /** Called and awaited after each change that affects what a user's sessions may do. */
  onChange: readonly ((user: User) => Promise<unknown>)[];
  /** Approval on the waitlist, which admits people. */
  admission: Admission;
}

/** Users and their identities. */
export function composeUsers({ config, clock, db }: Resources, { onChange, admission }: UserNeeds) {
  const store = createUserStore(db);
  const adminEmails = new Set(addressesOf(config.ADMIN_EMAILS));
  const review = createReviewAccount(config, clock, (identity, userId) =>
    store.hasIdentity(identity, userId),
  );
  const invitationStore = createInvitationStore(db, {
    hasAdminKey: config.ADMIN_API_KEY !== undefined,
  });
  const entry = createEntry({
    signUp: config.SIGN_UP,
    domains: entriesOf(config.SIGN_UP_DOMAINS).flatMap((text) => parseDomainRule(text) ?? []),
    adminEmails,
    review,
    isExpected: (identity) => store.isClaimable(identity),
    isInvited: async (email) =>
      (await invitationStore.isPending(email, new Date(clock.now()))) ||
      (await admission.mayEnter(email)),
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
      // The account exists already: without the database, the entry stays approved.
      onCreate: (email) => admission.noteJoined(email).catch(() => undefined),
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
