import { randomSecret, sha256Hex } from '../../../lib/secrets/secrets.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { BrowserOutcome } from '../sign-in/browser-sign-in.ts';
import type { VerifiedIdentity } from '../users/model.ts';
import type { IdpParts } from './context.ts';

const lifetimeMs = 30 * 60_000;
const claimMs = 60_000;
const tokenForm = /^[\w-]{43}$/;
const keyOf = (token: string) => `first-admin:link:${sha256Hex(token)}`;

/**
 * The one-time link that makes the operator of a new service its first admin. `isNeeded`: whether
 * the settings provide no admin, neither addresses nor a key.
 */
export function createFirstAdmin(
  { redis, users, review, browserSignIn, audit }: IdpParts,
  { isNeeded }: { isNeeded: boolean },
) {
  const isLive = async (token: string): Promise<boolean> =>
    tokenForm.test(token) && (await redis.exists(keyOf(token))) === 1 && !(await users.hasAdmin());

  /** Redeems the link. Every replica prints one; only one of them can succeed. */
  async function claim(token: string): Promise<boolean> {
    if (!tokenForm.test(token) || (await redis.getdel(keyOf(token))) === null) return false;
    const isFirst = (await redis.set('first-admin:claim', '1', 'PX', claimMs, 'NX')) === 'OK';
    return isFirst && !(await users.hasAdmin());
  }

  return {
    /** A new link, valid for 30 minutes; undefined when an admin exists or is configured. */
    async offer(baseUrl: string): Promise<string | undefined> {
      if (!isNeeded || (await users.hasAdmin())) return undefined;
      const token = randomSecret();
      await redis.set(keyOf(token), '1', 'PX', lifetimeMs);
      return `${baseUrl}/api/auth/setup/${token}`;
    },

    /** Resolves while the link is valid. Throws `request.not_found`. */
    async check(token: string): Promise<void> {
      if (!(await isLive(token))) throw requestErrors.not_found();
    },

    /**
     * Makes the holder of the link an admin with this address: the operator vouches for it. Throws
     * `request.not_found` when the link is used up or expired, or an admin exists;
     * `users.review_account`, which uses nothing up.
     */
    async accept(
      token: string,
      identity: VerifiedIdentity,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<BrowserOutcome> {
      review.requireNoRole({ identities: [identity] }, ['admin']);
      if (!(await claim(token))) throw requestErrors.not_found();
      const { user } = await users.signInAs(identity, { isVouched: true });
      await users.setRoles(user.id, [...new Set([...user.roles, 'admin' as const])]);
      const admin = { kind: 'user', id: user.id } as const;
      await audit.record({
        action: 'first_admin.created',
        actor: admin,
        target: admin,
        address: from.address,
        requestId: from.requestId,
      });
      return browserSignIn.begin({ identity, amr: ['setup'], ...from }, cookieHeader);
    },
  };
}

export type FirstAdmin = ReturnType<typeof createFirstAdmin>;
