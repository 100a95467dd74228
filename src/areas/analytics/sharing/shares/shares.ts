import type { Clock } from '../../../../lib/clock.ts';
import { uuidv7 } from '../../../../lib/ids.ts';
import { randomSecret, sha256Hex } from '../../../../lib/secrets/secrets.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { Keys } from '../../../../platform/crypto/keys.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../../platform/validation/validation-error.ts';
import type { Audit, AuditActor } from '../../../audit/service.ts';
import { analyticsErrors } from '../../errors.ts';
import type { CreatedShareView, CreateShareBody, ShareView } from '../schemas.sharing.ts';
import { createSharePasswords } from './share-passwords.ts';
import { createShareCookies } from './share-cookies.ts';
import type { ShareRecord, ShareStore } from './share-store.ts';
import type { PasswordAttempts } from './password-attempts.ts';
import { sharingErrors } from '../sharing-errors.ts';
import { lockSiteId, findSiteId } from '../../sites/site-ids.ts';
import type { Sites } from '../../sites/sites.ts';

/** What somebody shows beside the link. */
export interface ShareCredentials {
  /** Values of the cookie that `open` gave before. */
  cookies?: readonly string[];
  password?: string | undefined;
  /** Where it comes from: wrong passwords are counted by it. */
  address: string;
}

export type OpenedShare =
  | { id: string; site: string; name: string; cookie?: { value: string; expiresAt: number } }
  | { refused: 'unknown' | 'password_needed' | 'password_wrong' }
  | { refused: 'locked'; retryAfterMs: number };

export interface SharesDeps {
  db: Database;
  store: ShareStore;
  sites: Pick<Sites, 'get'>;
  tries: PasswordAttempts;
  keys: Keys;
  audit: Pick<Audit, 'recordIn'>;
  clock: Clock;
  /** The public URL without a slash at the end. */
  baseUrl: string;
}

const most = 50;
const lastUsedStepMs = 60_000;
const slugForm = /^[\w-]{43}$/;
const iso = (date: Date | null) => date?.toISOString() ?? null;

function toView(share: ShareRecord, siteId: string): ShareView {
  return {
    id: share.id,
    site_id: siteId,
    name: share.name,
    has_password: share.password_hash !== null,
    expires_at: iso(share.expires_at),
    created_by: share.created_by,
    created_at: share.created_at.toISOString(),
    last_used_at: iso(share.last_used_at),
  };
}

/**
 * Links with which somebody without an account sees the figures of a site: 256 random bits each,
 * kept as SHA-256.
 */
export function createShares({ db, store, sites, tries, keys, audit, clock, baseUrl }: SharesDeps) {
  const passwords = createSharePasswords(keys('analytics-share-password'));
  const proofs = createShareCookies(keys('analytics-share-proof'));

  /**
   * Ten wrong passwords in a row lock a client out of this share for a quarter of an hour, then for
   * twice as long.
   */
  async function byPassword(
    id: string,
    passwordHash: string,
    password: string,
    address: string,
  ): Promise<
    { refused: 'password_wrong' } | { refused: 'locked'; retryAfterMs: number } | undefined
  > {
    const retryAfterMs = await tries.begin(id, address);
    if (retryAfterMs > 0) return { refused: 'locked', retryAfterMs };
    if (!(await passwords.isRight(password, passwordHash))) return { refused: 'password_wrong' };
    await tries.clear(id, address);
    return undefined;
  }

  function noteUse({ id, last_used_at: before }: ShareRecord, now: number): void {
    if (before !== null && now - before.getTime() < lastUsedStepMs) return;
    store.touch(id, new Date(now), new Date(now - lastUsedStepMs)).catch(() => undefined);
  }

  async function enter(
    share: ShareRecord,
    { cookies = [], password, address }: ShareCredentials,
  ): Promise<OpenedShare | { cookie?: { value: string; expiresAt: number } }> {
    if (share.password_hash === null) return {};
    const proved = { id: share.id, passwordHash: share.password_hash };
    if (password === undefined)
      return cookies.some((value) => proofs.isGood(proved, value, clock.now()))
        ? {}
        : { refused: 'password_needed' };
    return (
      (await byPassword(share.id, share.password_hash, password, address)) ?? {
        cookie: proofs.make(proved, clock.now()),
      }
    );
  }

  return {
    /**
     * The site that a link shows, or why it shows none. Expired and revoked links are as unknown
     * ones. Throws without Redis when there is a password to look at.
     */
    async openShare(slug: string, proof: ShareCredentials): Promise<OpenedShare> {
      const share = slugForm.test(slug) ? await store.find(sha256Hex(slug)) : undefined;
      const now = clock.now();
      if (share === undefined || (share.expires_at !== null && share.expires_at.getTime() <= now))
        return { refused: 'unknown' };
      const entered = await enter(share, proof);
      if ('refused' in entered) return entered;
      // Another replica may have registered it.
      await sites.get(share.site_id);
      noteUse(share, now);
      return { ...entered, id: share.id, site: share.site_id, name: share.name };
    },

    /** Those of a site that are not revoked, newest first. Throws `analytics.site_unknown`. */
    async listShares(siteId: string): Promise<ShareView[]> {
      const site = await findSiteId(db, siteId);
      if (site === undefined) throw analyticsErrors.site_unknown();
      return (await store.list(site)).map((share) => toView(share, siteId));
    },

    /**
     * Makes a link. The answer is the only place where it can be read. Throws
     * `analytics.site_unknown`, `analytics.too_many_shares`, RequestValidationError.
     */
    async createShare(
      siteId: string,
      { name, password, expires_at: until }: CreateShareBody,
      by: AuditActor,
    ): Promise<CreatedShareView> {
      const now = clock.now();
      const expiresAt = typeof until === 'string' ? new Date(until) : null;
      if (expiresAt !== null && expiresAt.getTime() <= now)
        throw new RequestValidationError([
          valueError(['body', 'expires_at'], 'must lie in the future'),
        ]);
      const passwordHash = typeof password === 'string' ? await passwords.hash(password) : null;
      const slug = randomSecret(32);
      const share = await db.transaction().execute(async (within) => {
        const site = await lockSiteId(within, siteId);
        if (site === undefined) throw analyticsErrors.site_unknown();
        if ((await store.count(within, site)) >= most) throw sharingErrors.too_many_shares();
        const made: ShareRecord = {
          id: uuidv7(now),
          site,
          name,
          password_hash: passwordHash,
          expires_at: expiresAt,
          created_by: by.actor.id ?? by.actor.kind,
          created_at: new Date(now),
          last_used_at: null,
          revoked_at: null,
        };
        await store.insert(within, made, sha256Hex(slug));
        await audit.recordIn(within, [
          {
            ...by,
            action: 'analytics.share_created',
            target: { kind: 'analytics_share', id: made.id },
            details: { site_id: siteId, has_password: passwordHash !== null },
          },
        ]);
        return made;
      });
      return { ...toView(share, siteId), url: `${baseUrl}/share/${slug}` };
    },

    /** Ends a link at once. Doing it again changes nothing. Throws `analytics.share_not_found`. */
    async revokeShare(siteId: string, id: string, by: AuditActor): Promise<void> {
      await db.transaction().execute(async (within) => {
        const wasLive = await store.revoke(within, siteId, id, new Date(clock.now()));
        if (wasLive === undefined) throw sharingErrors.share_not_found();
        if (wasLive)
          await audit.recordIn(within, [
            {
              ...by,
              action: 'analytics.share_revoked',
              target: { kind: 'analytics_share', id },
              details: { site_id: siteId },
            },
          ]);
      });
    },
  };
}

export type Shares = ReturnType<typeof createShares>;
