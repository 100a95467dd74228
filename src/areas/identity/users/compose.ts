import { parseDomainRule } from '../../../lib/net/domain-rules.ts';
import { addressesOf, entriesOf } from '../../../lib/text/lists.ts';
import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import type { Messages } from '../../comms/service.ts';
import type { Admission } from '../../waitlist/admission.ts';
import type { OwnAccountServices } from './account/compose.ts';
import { createUserAdmin } from './directory/access.ts';
import { createDirectory } from './directory/service.ts';
import { createAcceptance } from './invitations/acceptance.ts';
import { createMailLimits } from './invitations/mail-limits.ts';
import { createInvitations } from './invitations/service.ts';
import { createInvitationStore } from './invitations/store.ts';
import type { User } from './model.ts';
import { createReviewAccount } from './policies/review-account.ts';
import { createSignUpPolicy } from './policies/sign-up.ts';
import { createDiscovery } from './scim/discovery.ts';
import { createScim } from './scim/service.ts';
import { createScimStore } from './scim/store.ts';
import { createUsers } from './service.ts';
import { createUserStore } from './store.ts';

interface UserNeeds {
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
  const signUpPolicy = createSignUpPolicy({
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
    signUpPolicy,
    review,
    invitationStore,
    findUser: (id: string) => store.find(id),
    noteSeen: (id: string) => store.setSeen(id, new Date(clock.now())),
    users: createUsers({
      store,
      clock,
      adminEmails,
      signUpPolicy,
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

/** Invitations, managed by admins. */
export const composeInvitations = (
  { clock, redis, keys, baseUrl }: Resources,
  { invitationStore: store, ...needs }: People & { audit: Audit; messages: Messages },
) => ({
  invitations: createInvitations({
    ...needs,
    store,
    mailLimits: createMailLimits({ redis, clock, key: keys('invitation-mails') }),
    clock,
    baseUrl,
  }),
});

/** Accepting invitations. */
export const composeAcceptance = (
  { clock, db }: Resources,
  {
    invitationStore: store,
    ...needs
  }: Omit<People, 'findUser'> & { audit: Audit; browserSignIn: BrowserSignIn },
) => ({ acceptance: createAcceptance({ ...needs, db, store, clock }) });

/** Users as admins manage them, and identity providers over SCIM. */
export function composeDirectory(
  resources: Resources,
  needs: Pick<People, 'users' | 'review'> & { audit: Audit; ownAccount: OwnAccountServices },
) {
  const { clock, db, baseUrl } = resources;
  const { users, audit, ownAccount } = needs;
  const userAdmin = createUserAdmin({ users, audit, clock });
  const { deleteNow } = ownAccount.deletions;
  return {
    userAdmin,
    directory: createDirectory({ ...resources, ...needs, userAdmin, deleteNow }),
    scim: createScim({ store: createScimStore(db), clock, audit, users, userAdmin, baseUrl }),
    scimDiscovery: createDiscovery(baseUrl),
  };
}
