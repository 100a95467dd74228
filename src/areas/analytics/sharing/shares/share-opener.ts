import { sha256Hex } from '../../../../lib/secrets/secrets.ts';
import { createPasswordAttempts } from '../../../../platform/redis/password-attempts.ts';
import { createShareCookies } from './cookies.ts';
import type { LinkPasswords } from '../../../../platform/crypto/link-passwords.ts';
import type { AnalyticsResources } from '../../resources.ts';
import type { ShareRecord, ShareStore } from './store.ts';

/** Credentials of a client besides the link. */
export interface ShareCredentials {
  /** Values of the cookie set when the share was opened before. */
  cookies?: readonly string[];
  password?: string | undefined;
  /** The address of the client, by which wrong passwords are counted. */
  address: string;
}

interface NewCookie {
  cookie?: { value: string; expiresAt: number };
}

type Refusal =
  | { refused: 'unknown' | 'password_needed' | 'password_wrong' }
  | { refused: 'locked'; retryAfterMs: number };

export type OpenedShare = ({ id: string; site: string; name: string } & NewCookie) | Refusal;

const lastUsedPrecisionMs = 60_000;
const slugPattern = /^[\w-]{43}$/;

/** Opens share links and checks their passwords. */
export function createShareOpener(
  { redis, sites, keys, clock }: Pick<AnalyticsResources, 'redis' | 'sites' | 'keys' | 'clock'>,
  store: ShareStore,
  passwords: LinkPasswords,
) {
  const proofs = createShareCookies(keys('analytics-share-proof'));
  const tries = createPasswordAttempts(redis, keys('analytics-share-tries'), 'share');

  return {
    /**
     * Returns the site of a link, or why access is rejected. Expired and revoked links count as
     * unknown. Throws if a password has to be checked while Redis is down.
     */
    async openShare(slug: string, credentials: ShareCredentials): Promise<OpenedShare> {
      const share = slugPattern.test(slug) ? await store.find(sha256Hex(slug)) : undefined;
      const now = clock.now();
      if (share === undefined || (share.expires_at !== null && share.expires_at.getTime() <= now))
        return { refused: 'unknown' };
      const entered = await enter(share, credentials);
      if ('refused' in entered) return entered;
      // Loads the site, which another replica may have registered.
      await sites.get(share.site_id);
      recordUse(share, now);
      return { ...entered, id: share.id, site: share.site_id, name: share.name };
    },
  };

  async function enter(
    { id, password_hash: passwordHash }: ShareRecord,
    { cookies = [], password, address }: ShareCredentials,
  ): Promise<Refusal | NewCookie> {
    if (passwordHash === null) return {};
    const share = { id, passwordHash };
    if (password === undefined) {
      const hasPassword = cookies.some((value) => proofs.isValid(share, value, clock.now()));
      return hasPassword ? {} : { refused: 'password_needed' };
    }
    const retryAfterMs = await tries.begin(id, address);
    if (retryAfterMs > 0) return { refused: 'locked', retryAfterMs };
    if (!(await passwords.isCorrect(password, passwordHash))) return { refused: 'password_wrong' };
    await tries.clear(id, address);
    return { cookie: proofs.make(share, clock.now()) };
  }

  function recordUse({ id, last_used_at: before }: ShareRecord, now: number): void {
    if (before !== null && now - before.getTime() < lastUsedPrecisionMs) return;
    store.touch(id, new Date(now), new Date(now - lastUsedPrecisionMs)).catch(() => undefined);
  }
}
