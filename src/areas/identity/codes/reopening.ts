import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { User } from '../users/model.ts';
import type { Otp } from './service.ts';

/**
 * Reopens codes that strangers' guesses have closed when the user signs in another way (NIST SP
 * 800-63B-4 §3.2.2), or from a known device.
 */
export function createReopening({ reopen }: Pick<Otp, 'reopen'>) {
  return async ({ id, identities }: User, from: RequestOrigin): Promise<void> => {
    const identifiers = identities.flatMap(({ kind, key }) =>
      kind === 'idp' ? [] : [{ kind, key }],
    );
    await Promise.all(
      identifiers.map((identifier) => reopen(identifier, { kind: 'user', id }, from)),
    );
  };
}
