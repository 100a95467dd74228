import { sha256Hex } from '../../../lib/secrets/secrets.ts';
import { userActor } from '../../../platform/http/requests/request-actor.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { BrowserOutcome, BrowserSignIn } from '../sign-in/browser-sign-in.ts';
import { lockAccess } from '../users/access/store.ts';
import type { User } from '../users/model.ts';
import type { InvitationParts } from './context.ts';
import { invitationErrors } from './errors.ts';
import { createInviterName } from './inviter.ts';
import type { Claim, Invitation } from './store.ts';
import { texts } from './texts/en.ts';

/** An invitation as its page shows it. */
export interface Offer extends Pick<Invitation, 'email' | 'role' | 'note'> {
  /** True when another account than that of the address is signed in. */
  isOtherAccount: boolean;
}

export interface Accepted {
  role: Invitation['role'];
  /** Undefined if the person was signed in already. */
  outcome: BrowserOutcome | undefined;
}

interface Visitor {
  /** The signed-in user, if any. */
  userId: string | undefined;
  cookieHeader: string | undefined;
  from: RequestOrigin;
}

const tokenForm = /^[\w-]{43}$/;
const identityOf = ({ email }: Pick<Invitation, 'email'>) =>
  ({ kind: 'email', key: email, value: email }) as const;
const rolesOf = ({ role }: Pick<Invitation, 'role'>) => (role === null ? [] : [role]);

/** Accepting invitations. The token proves the mailbox: it was sent there and nowhere else. */
export function createAcceptance(parts: InvitationParts, browserSignIn: BrowserSignIn) {
  const { db, invitationStore: store, users, review, audit, clock } = parts;
  const inviterName = createInviterName(parts);
  return {
    /** What a link offers. Changes nothing. Throws `invitations.link_invalid`. */
    async offer(token: string, userId: string | undefined): Promise<Offer> {
      const { email, role, note } = await find(token);
      const owner = userId === undefined ? undefined : await users.ownerOf(identityOf({ email }));
      return { email, role, note, isOtherAccount: userId !== undefined && owner?.id !== userId };
    },

    /**
     * Accepts an invitation for the owner of its address, who is created if needed, and signs that
     * person in: with `aal1`, or with a request for the second factor. Throws
     * `invitations.link_invalid`, `.other_account`, `users.review_account`, `auth.user_disabled`.
     */
    async accept(token: string, { userId, cookieHeader, from }: Visitor): Promise<Accepted> {
      const found = await find(token);
      const identity = identityOf(found);
      const owner = await users.ownerOf(identity);
      if (userId !== undefined && owner?.id !== userId) throw invitationErrors.other_account();
      review.requireNoRole(
        { identities: [identity, ...(owner?.identities ?? [])] },
        rolesOf(found),
      );
      const signIn = () =>
        browserSignIn.begin({ identity, amr: ['invitation'], ...from }, cookieHeader);
      // Refused before the invitation is used up.
      if (owner !== undefined && owner.disabledAt !== null)
        return { role: found.role, outcome: await signIn() };
      const claimed = await claim(token);
      try {
        await complete(claimed, await users.signInAs(identity, { isVouched: true }), from);
      } catch (error) {
        await store.release(claimed);
        throw error;
      }
      return { role: found.role, outcome: userId === undefined ? await signIn() : undefined };
    },
  };

  async function find(token: string): Promise<Invitation> {
    if (!tokenForm.test(token)) throw invitationErrors.link_invalid();
    const found = await store.findByToken(sha256Hex(token), new Date(clock.now()));
    return found ?? refuse(token);
  }

  /** Says that the invitation has expired, to whoever has its link: that mail named the inviter. */
  async function refuse(token: string): Promise<never> {
    const found = await store.findExpiredByToken(sha256Hex(token), new Date(clock.now()));
    if (found === undefined) throw invitationErrors.link_invalid();
    const inviter = await inviterName(found);
    const { gone } = texts;
    throw invitationErrors.link_invalid({
      pageText: inviter === undefined ? gone.askAnyone : gone.ask({ inviter }),
      pageTitle: gone.expired,
    });
  }

  async function claim(token: string): Promise<Invitation & Claim> {
    const claimed = await store.claim(sha256Hex(token), new Date(clock.now()));
    if (claimed === undefined) throw invitationErrors.link_invalid();
    return claimed;
  }

  /**
   * Completes a claimed invitation: the inviter's rights, the invitation and the role are checked
   * and changed in one transaction, under the lock that guards all changes of access.
   */
  async function complete(
    invitation: Invitation & Claim,
    { user, isNew }: { user: User; isNew: boolean },
    from: RequestOrigin,
  ): Promise<void> {
    const { id, role } = invitation;
    const before = await db.transaction().execute(async (within) => {
      await lockAccess(within);
      const completion = { userId: user.id, now: new Date(clock.now()) };
      if (!(await store.accept(within, invitation, completion)))
        throw invitationErrors.link_invalid();
      return role === null ? undefined : store.giveRole(within, user.id, role);
    });
    const actor = userActor(user.id, from);
    const target = { kind: 'user', id: user.id };
    if (isNew) await audit.record({ ...actor, action: 'user.created', target });
    const details = { role: role ?? 'none', invited_by: invitation.inviter_id };
    await audit.record({
      ...actor,
      action: 'invitation.accepted',
      target: { kind: 'invitation', id },
      details,
    });
    if (before === undefined) return;
    const to = [...before, ...rolesOf(invitation)];
    await audit.record({
      ...actor,
      action: 'user.roles_changed',
      target,
      details: { from: before, to },
    });
    await users.refresh(user.id);
  }
}

export type Acceptance = ReturnType<typeof createAcceptance>;
