import { emailIdentity } from '../../lib/identifiers.ts';
import { mailboxOf } from '../../lib/mailbox.ts';
import type { WaitlistParts } from './compose.ts';

/**
 * Whether people on the waitlist may sign up, for the areas that decide about it. Other addresses
 * of the same mailbox may not: not every provider delivers `a+b@` to `a@`.
 */
export function createWaitlistAccess({ store, clock }: Pick<WaitlistParts, 'store' | 'clock'>) {
  return {
    /** True for the address of a person who was approved, or has joined. */
    async isApproved(email: string): Promise<boolean> {
      const address = emailIdentity(email)?.key;
      if (address === undefined) return false;
      const entry = await store.findByEmail(address, mailboxOf(address));
      return entry?.status === 'approved' || entry?.status === 'joined';
    },

    /** Marks an approved person as joined. Call it at their first sign-in. */
    async setJoined(email: string): Promise<void> {
      const address = emailIdentity(email)?.key;
      if (address === undefined) return;
      await store.setJoined(address, mailboxOf(address), new Date(clock.now()));
    },
  };
}

export type WaitlistAccess = ReturnType<typeof createWaitlistAccess>;
