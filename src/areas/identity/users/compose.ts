import { emailKeysOf } from '../../../lib/text/lists.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { WaitlistAccess } from '../../waitlist/access.ts';
import type { User } from './model.ts';
import { createReviewAccount } from './policies/review-account.ts';
import { createSignUpPolicy } from './policies/sign-up.ts';
import { createUsers } from './service.ts';
import { createUserStore } from './store.ts';

interface UserNeeds {
  /** Whether an invitation to this lower-case address is pending. */
  isInvited: (email: string) => Promise<boolean>;
  /** Called and awaited after each change that affects what a user's sessions may do. */
  onChange: readonly ((user: User) => Promise<unknown>)[];
  /** Approval on the waitlist, which admits people. */
  waitlistAccess: WaitlistAccess;
}

/** Users and their identities. */
export function composeUsers(
  { config, clock, db, live }: Resources,
  { onChange, waitlistAccess, isInvited }: UserNeeds,
) {
  const store = createUserStore(db);
  const adminEmails = new Set(emailKeysOf(config.ADMIN_EMAILS));
  const review = createReviewAccount(config, clock, (identity, userId) =>
    store.hasIdentity(identity, userId),
  );
  const signUpPolicy = createSignUpPolicy({
    live,
    adminEmails,
    review,
    isExpected: (identity) => store.isClaimable(identity),
    isInvited: async (email) =>
      (await isInvited(email)) || (await waitlistAccess.isApproved(email)),
  });
  return {
    signUpPolicy,
    review,
    findUser: (id: string) => store.find(id),
    noteSeen: (id: string) => store.setSeen(id, new Date(clock.now())),
    users: createUsers({
      store,
      clock,
      adminEmails,
      signUpPolicy,
      review,
      // The account exists already: without the database, the entry stays approved.
      markJoined: (email) => waitlistAccess.setJoined(email).catch(() => undefined),
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
