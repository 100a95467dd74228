import type { Origin } from '../../platform/http/request-origin.ts';
import type { User } from '../users/store.ts';
import type { Otp } from './service.ts';

/**
 * Makes what is to be told of everybody who is in: whose codes are off after too many guesses gets
 * them back by another way in (NIST SP 800-63B-4 §3.2.2), and a known device is one: strangers had
 * no part in what it did.
 */
export function createReopening({ reopen }: Pick<Otp, 'reopen'>) {
  return async ({ id, identities }: User, from: Origin): Promise<void> => {
    const reached = identities.flatMap(({ kind, key }) => (kind === 'idp' ? [] : [{ kind, key }]));
    await Promise.all(reached.map((identifier) => reopen(identifier, { kind: 'user', id }, from)));
  };
}
