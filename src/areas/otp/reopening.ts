import type { RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import type { User } from '../users/store.ts';
import type { Otp } from './service.ts';

/**
 * Reopens codes that strangers' guesses have closed, when their owner signs in another way (NIST SP
 * 800-63B-4 §3.2.2), also from a known device.
 */
export function createReopening({ reopen }: Pick<Otp, 'reopen'>) {
  return async ({ id, identities }: User, from: RequestOrigin): Promise<void> => {
    const reached = identities.flatMap(({ kind, key }) => (kind === 'idp' ? [] : [{ kind, key }]));
    await Promise.all(reached.map((identifier) => reopen(identifier, { kind: 'user', id }, from)));
  };
}
