import { uuidv7 } from '../../../../lib/ids.ts';
import { randomSecret, sha256Hex } from '../../../../lib/secrets/secrets.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../../platform/validation/validation-error.ts';
import type { AuditActor } from '../../../audit/service.ts';
import type { AnalyticsResources } from '../../resources.ts';
import { siteEntry } from '../../sites/audit-entry.ts';
import { findSiteId, lockSiteId } from '../../sites/store.ts';
import type { CreatedShareView, CreateShareBody, ShareView } from '../schemas.ts';
import { sharingErrors } from '../errors.ts';
import { createShareOpener } from './share-opener.ts';
import {
  createLinkPasswords,
  type LinkPasswords,
} from '../../../../platform/crypto/link-passwords.ts';
import { createShareStore, type ShareRecord } from './store.ts';

const maxPerSite = 50;
const iso = (date: Date | null) => date?.toISOString() ?? null;

const toView = (share: ShareRecord, siteId: string): ShareView => ({
  id: share.id,
  site_id: siteId,
  name: share.name,
  has_password: share.password_hash !== null,
  expires_at: iso(share.expires_at),
  created_by: share.created_by,
  created_at: share.created_at.toISOString(),
  last_used_at: iso(share.last_used_at),
});

async function readBody(
  { name, password, expires_at: until }: CreateShareBody,
  now: number,
  passwords: LinkPasswords,
) {
  const expiresAt = typeof until === 'string' ? new Date(until) : null;
  if (expiresAt !== null && expiresAt.getTime() <= now)
    throw new RequestValidationError([valueError(['body', 'expires_at'], 'must be in the future')]);
  const passwordHash = typeof password === 'string' ? await passwords.hash(password) : null;
  return { name, expires_at: expiresAt, password_hash: passwordHash };
}

/** Manages share links, which show the figures of a site without an account. */
export function createShares(resources: AnalyticsResources) {
  const { db, keys, audit, clock, baseUrl } = resources;
  const store = createShareStore(db);
  const passwords = createLinkPasswords(keys('analytics-share-password'), () =>
    sharingErrors.share_busy({ headers: { 'retry-after': '5' } }),
  );

  return {
    ...createShareOpener(resources, store, passwords),

    /** Lists the links that are not revoked, newest first. Throws `analytics.site_unknown`. */
    async listShares(siteId: string): Promise<ShareView[]> {
      const site = await findSiteId(db, siteId);
      return (await store.list(site)).map((share) => toView(share, siteId));
    },

    /**
     * Creates a link with a 256-bit random secret. Only its SHA-256 is stored, so the result is the
     * only place with the URL. Throws `analytics.site_unknown`, `.too_many_shares`,
     * RequestValidationError.
     */
    async createShare(
      siteId: string,
      body: CreateShareBody,
      by: AuditActor,
    ): Promise<CreatedShareView> {
      const now = clock.now();
      const fields = await readBody(body, now, passwords);
      const slug = randomSecret(32);
      const share = await db.transaction().execute(async (transaction) => {
        const site = await lockSiteId(transaction, siteId);
        if ((await store.list(site, transaction)).length >= maxPerSite)
          throw sharingErrors.too_many_shares();
        const row: ShareRecord = {
          ...fields,
          id: uuidv7(now),
          site,
          slug_hash: sha256Hex(slug),
          created_by: by.actor.id ?? by.actor.kind,
          created_at: new Date(now),
          last_used_at: null,
          revoked_at: null,
        };
        await store.insert(transaction, row);
        const details = { site_id: siteId, has_password: fields.password_hash !== null };
        const entry = siteEntry('analytics.share_created', row.id, details, by);
        await audit.recordIn(transaction, [entry]);
        return row;
      });
      return { ...toView(share, siteId), url: `${baseUrl}/share/${slug}` };
    },

    /** Revokes a link immediately. Idempotent. Throws `analytics.share_not_found`. */
    revokeShare: (siteId: string, id: string, by: AuditActor): Promise<void> =>
      setRevoked(siteId, id, new Date(clock.now()), by),

    /** Makes a revoked link work again. Idempotent. Throws `analytics.share_not_found`. */
    restoreShare: (siteId: string, id: string, by: AuditActor): Promise<void> =>
      setRevoked(siteId, id, null, by),
  };

  async function setRevoked(
    siteId: string,
    id: string,
    at: Date | null,
    by: AuditActor,
  ): Promise<void> {
    await db.transaction().execute(async (transaction) => {
      const isChanged = await store.setRevoked(transaction, siteId, id, at);
      if (isChanged === undefined) throw sharingErrors.share_not_found();
      if (!isChanged) return;
      const action = at === null ? 'analytics.share_restored' : 'analytics.share_revoked';
      await audit.recordIn(transaction, [siteEntry(action, id, { site_id: siteId }, by)]);
    });
  }
}
