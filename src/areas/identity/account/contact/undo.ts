import { dayMs } from '../../../../lib/durations.ts';
import { mask } from '../../../../lib/identifiers.ts';
import { uuidv7 } from '../../../../lib/ids.ts';
import { randomSecret, sha256Hex } from '../../../../lib/secrets/secrets.ts';
import { userActor } from '../../../../platform/http/requests/request-actor.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import type { VerifiedIdentity } from '../../users/model.ts';
import type { AccountParts } from '../context.ts';
import { accountErrors } from '../errors.ts';
import { texts } from '../texts/en.ts';
import type { ContactKind } from './pending-contacts.ts';
import type { Undone } from './undo-store.ts';

/** How long the link in the message about a change works. */
const undoMs = 7 * dayMs;

/** The page that the link opens. */
export const undoPath = '/account/undo-change';

const tokenForm = /^[\w-]{43}$/;

/** Takes a change of the address or number back, for whoever gets messages at the old one. */
export function createContactUndos({
  contactUndos,
  pendingContacts,
  users,
  sessions,
  audit,
  notices,
  clock,
  baseUrl,
}: AccountParts) {
  return {
    /** Returns the link for the message to what was replaced. It works once, for seven days. */
    async linkFor(
      userId: string,
      { key, value }: VerifiedIdentity,
      kind: ContactKind,
    ): Promise<{ label: string; url: string }> {
      const token = randomSecret();
      const now = clock.now();
      await contactUndos.add({
        id: uuidv7(now),
        userId,
        identity: { kind, key, value },
        tokenHash: sha256Hex(token),
        createdAt: new Date(now),
        expiresAt: new Date(now + undoMs),
      });
      return { label: texts.undo.link, url: `${baseUrl}${undoPath}?token=${token}` };
    },

    /**
     * Restores the old address or number, and ends all sessions and changes that wait for a code.
     * Links of later changes stop working. Throws `account.undo_invalid`, `.undo_taken`.
     */
    async undo(token: string, from: RequestOrigin): Promise<ContactKind> {
      if (!tokenForm.test(token)) throw accountErrors.undo_invalid();
      const now = clock.now();
      const undone = await contactUndos.undo(sha256Hex(token), uuidv7(now), new Date(now));
      if (undone === undefined) throw accountErrors.undo_invalid();
      if (undone === 'taken') throw accountErrors.undo_taken();
      const { userId, restored } = undone;
      await pendingContacts.remove(userId, 'email', 'phone');
      await users.refresh(userId);
      await sessions.endAll(userId);
      await audit.record({
        action: 'identity.restored',
        ...userActor(userId, from),
        target: { kind: 'user', id: userId },
        details: { kinds: [restored.kind] },
      });
      await notify(undone);
      return restored.kind;
    },
  };

  /** Tells the restored address or number, and the one that signs in no longer. */
  async function notify({ userId, restored, replaced }: Undone): Promise<void> {
    const { kind, key, value } = restored;
    const { restored: back, undone } = texts.undo[kind];
    const at = clock.now();
    await notices.trySend({ kind, value }, back, `contact-restored:${userId}:${at}`);
    if (replaced === undefined || replaced.key === key) return;
    const text = { ...undone, body: undone.body({ to: mask({ kind, key }) }), isForOutsider: true };
    await notices.trySend({ kind, value: replaced.value }, text, `contact-undone:${userId}:${at}`);
  }
}

export type ContactUndos = ReturnType<typeof createContactUndos>;
