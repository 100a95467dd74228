import type { Resources } from '../../../platform/resources.ts';
import type { Audit } from '../../audit/service.ts';
import type { BrowserSignIn } from '../../auth/browser-sign-in.ts';
import type { Messages } from '../../comms/service.ts';
import type { People } from '../compose.ts';
import { createAcceptance } from './acceptance.ts';
import { createMailLimits } from './mail-limits.ts';
import { createInvitations } from './service.ts';

type InvitationNeeds = Pick<People, 'review' | 'invitationStore' | 'findUser'> & {
  audit: Audit;
  messages: Messages;
};

/** Invitations, managed by admins. */
export const composeInvitations = (
  { clock, redis, keys, baseUrl }: Resources,
  { invitationStore: store, review, findUser, audit, messages }: InvitationNeeds,
) => ({
  invitations: createInvitations({
    store,
    review,
    findUser,
    audit,
    messages,
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
    review,
    users,
    audit,
    browserSignIn,
  }: Pick<People, 'review' | 'invitationStore' | 'users'> & {
    audit: Audit;
    browserSignIn: BrowserSignIn;
  },
) => ({ acceptance: createAcceptance({ db, store, review, users, audit, browserSignIn, clock }) });
