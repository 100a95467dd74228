import { dayMs } from '../../../../lib/durations.ts';
import { type Identifier, mask } from '../../../../lib/identifiers.ts';
import { uuidv7 } from '../../../../lib/ids.ts';
import { codeErrors } from '../../code-errors.ts';
import { readOneTimeCode } from '../../entered-codes.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { Session } from '../../sessions/service.ts';
import type { CodeUse } from '../../codes/context.ts';
import type { SentCode } from '../../codes/send.ts';
import type { User, VerifiedIdentity } from '../../users/model.ts';
import type { AccountParts } from '../context.ts';
import { accountErrors } from '../errors.ts';
import { type NoticeText, recipientOf } from '../notices.ts';
import { texts } from '../texts/en.ts';
import type { ContactKind } from './pending-contacts.ts';
import type { ContactUndos } from './undo.ts';

/** Codes sent to new addresses and numbers on behalf of one user. */
const starts = { name: 'contact', max: 20, ms: dayMs };

/**
 * A code verifies the address for this user only, and not for signing in. It counts for them, so
 * that asking for somebody's address does not keep its owner out.
 */
const useFor = (userId: string, kind: ContactKind): CodeUse => ({
  purpose: `change_${kind}:${userId}`,
  template: 'contact_code',
  asker: userId,
});

/** Changes the address or number that a user signs in with, once the new one is verified. */
export function createContacts(
  {
    contacts,
    pendingContacts,
    otp,
    secondFactor,
    users,
    audit,
    notices,
    countChange,
    clock,
    brand,
    baseUrl,
  }: AccountParts,
  { linkFor }: Pick<ContactUndos, 'linkFor'>,
) {
  return {
    /**
     * Sends a code to the new address or number. The answer is the same if another account has it.
     * Throws the errors of `otp.send`, `second_factor.aal2_required`, `account.too_many_changes`,
     * `users.review_account`.
     */
    async start(session: Session, identifier: Identifier, from: RequestOrigin): Promise<SentCode> {
      const { userId, id: sessionId } = session;
      await secondFactor.requireSecondFactor(session);
      await countChange(userId, starts);
      const sent = await otp.send(identifier, from, useFor(userId, identifier.kind));
      const { verificationId, expiresIn } = sent;
      await pendingContacts.put(
        userId,
        { sessionId, verificationId, identifier },
        expiresIn * 1000,
      );
      return sent;
    },

    /** The address or number that waits for its code in this session, as the person typed it. */
    async pendingOf({ userId, id }: Session, kind: ContactKind): Promise<string | undefined> {
      const pending = await pendingContacts.find(userId, kind);
      return pending?.sessionId === id ? pending.identifier.value : undefined;
    },

    /**
     * Replaces the address or number by the one that the code verifies. Only the session that asked
     * for the code can enter it. Throws `otp.invalid`, `otp.too_many_attempts`,
     * `account.contact_taken`, `users.review_account`, and a RequestValidationError for what is no
     * code.
     */
    async confirm(
      { userId, id: sessionId }: Session,
      kind: ContactKind,
      entered: string,
      from: RequestOrigin,
    ): Promise<void> {
      const code = readOneTimeCode(entered);
      const pending = await pendingContacts.find(userId, kind);
      if (pending?.sessionId !== sessionId) throw codeErrors.invalid();
      await users.requireNoReviewAccount(userId);
      const { identifier, verificationId } = pending;
      await users.requireMayHave(userId, [identifier]);
      await otp.verify(identifier, { code, verificationId }, from, useFor(userId, kind));
      await pendingContacts.remove(userId, kind);
      await replace(userId, identifier, from);
    },
  };

  /** Throws `account.contact_taken`. */
  async function replace(
    userId: string,
    identifier: Identifier,
    from: RequestOrigin,
  ): Promise<void> {
    const before = await users.get(userId);
    const now = clock.now();
    const { kind, key, value } = identifier;
    const replacement = { userId, id: uuidv7(now), identity: { kind, key, value } };
    const outcome = await contacts.replace({ ...replacement, at: new Date(now) });
    if (outcome === 'taken') throw accountErrors.contact_taken();
    const { previous } = outcome;
    await users.refresh(userId);
    await audit.record({
      action: previous === undefined ? 'identity.linked' : 'identity.replaced',
      ...userActor(userId, from),
      target: { kind: 'user', id: userId },
      details: { kinds: [kind] },
    });
    if (previous?.key !== key) await notify(before, identifier, previous);
  }

  /** Tells the old address or number, or else another one of the user. */
  async function notify(
    before: User,
    identifier: Identifier,
    previous: VerifiedIdentity | undefined,
  ): Promise<void> {
    const to = recipientOf(previous === undefined ? before.identities : [previous]);
    const told = noticeText(identifier, previous);
    const text =
      previous === undefined
        ? told
        : { ...told, link: await linkFor(before.id, previous, identifier.kind) };
    const about = previous === undefined ? 'contact-added' : `${identifier.kind}-changed`;
    await notices.trySend(to, text, `${about}:${before.id}:${clock.now()}`);
  }

  function noticeText(
    { kind, key }: Identifier,
    previous: VerifiedIdentity | undefined,
  ): NoticeText {
    const replaced = kind === 'email' ? texts.emailChanged : texts.phoneChanged;
    const { headline, body } = previous === undefined ? texts.contactAdded : replaced;
    return {
      headline,
      body: body({
        to: mask({ kind, key }),
        contact: brand().contactEmail,
        contactPage: `${baseUrl}/contact`,
      }),
      // What was replaced does not sign in any more.
      isForOutsider: previous !== undefined,
    };
  }
}
