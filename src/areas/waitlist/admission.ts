import { emailIdentity } from '../../lib/identifiers.ts';
import type { Clock } from '../../lib/clock.ts';
import { mailboxOf } from '../../lib/mailbox.ts';
import type { JoinStore } from './store.ts';

/** Whether people on the waitlist may enter. */
export interface Admission {
  /** True for the address of a person who was approved, or has joined. */
  mayEnter: (email: string) => Promise<boolean>;
  /** Marks an approved person as joined. Call it at their first sign-in. */
  noteJoined: (email: string) => Promise<void>;
}

/**
 * Approval as permission to enter, for the areas that decide about it. Other addresses of the same
 * mailbox are not admitted: not every provider delivers `a+b@` to `a@`.
 */
export function createAdmission({ store, clock }: { store: JoinStore; clock: Clock }): Admission {
  return {
    async mayEnter(email) {
      const address = emailIdentity(email)?.key;
      if (address === undefined) return false;
      const entry = await store.findByEmail(address, mailboxOf(address));
      return entry?.status === 'approved' || entry?.status === 'joined';
    },

    async noteJoined(email) {
      const address = emailIdentity(email)?.key;
      if (address === undefined) return;
      await store.setJoined(address, mailboxOf(address), new Date(clock.now()));
    },
  };
}
