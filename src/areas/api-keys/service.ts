import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { equalSecrets, randomSecret, sha256Hex } from '../../lib/secrets/secrets.ts';
import { pageById } from '../../lib/keyset-page.ts';
import type { Principal } from '../../platform/identity/identity.ts';
import type { Audit, AuditActor } from '../audit/service.ts';
import { apiKeyErrors } from './errors.ts';
import { createKeyLookup } from './lookup.ts';
import type { ApiKeyPage, ApiKeyView, CreateApiKeyBody, CreatedApiKeyView } from './schemas.ts';
import type { ApiKey, ApiKeyStore } from './store.ts';

const keyPattern = /^svc_[A-Za-z0-9_-]{43}$/;
const hintLength = 8;
const lastUsedStepMs = 60_000;
const adminPrincipal: Principal = { kind: 'api_key', id: 'env', scopes: ['admin'] };

const iso = (date: Date | null) => date?.toISOString() ?? null;

function toView(key: ApiKey): ApiKeyView {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    created_at: key.createdAt.toISOString(),
    last_used_at: iso(key.lastUsedAt),
    expires_at: iso(key.expiresAt),
    revoked_at: iso(key.revokedAt),
  };
}

function isLive(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now);
}

export interface ApiKeysDeps {
  store: ApiKeyStore;
  clock: Clock;
  /** Undefined: nothing is written down. */
  audit?: Pick<Audit, 'record'> | undefined;
  adminKey?: string | undefined;
  onRevoked?: (id: string) => void;
}

/**
 * Bearer keys: 256 random bits behind `svc_`, kept as SHA-256. A revoked key ends at once on this process; on others with
 * the next `forget`, or within ten seconds. `adminKey` (ADMIN_API_KEY) is accepted as an admin key while it is given.
 * `onRevoked` hears the ids of keys that have ended.
 */
export function createApiKeys({
  store,
  clock,
  audit,
  adminKey,
  onRevoked = () => undefined,
}: ApiKeysDeps) {
  const lookup = createKeyLookup(store.findByHash, clock);

  function noteUse(key: ApiKey, now: number): void {
    if (key.lastUsedAt !== null && now - key.lastUsedAt.getTime() < lastUsedStepMs) return;
    key.lastUsedAt = new Date(now);
    // The time of use is a courtesy: a database that is away must not refuse a key that is known.
    store.touch(key.id, key.lastUsedAt, new Date(now - lastUsedStepMs)).catch(() => undefined);
  }

  const note = (
    action: 'api_key.created' | 'api_key.revoked',
    { id, name, scopes }: Pick<ApiKeyView, 'id' | 'name' | 'scopes'>,
    by: Partial<AuditActor>,
  ) =>
    audit?.record({
      actor: { kind: 'system' },
      ...by,
      action,
      target: { kind: 'api_key', id },
      details: { name, scopes },
    });

  async function found(key: Promise<ApiKey | undefined>): Promise<ApiKeyView> {
    const result = await key;
    if (result === undefined) throw apiKeyErrors.not_found();
    return toView(result);
  }

  return {
    /** Who holds this key; undefined for one that is unknown, revoked or expired. */
    async authenticate(token: string): Promise<Principal | undefined> {
      if (adminKey !== undefined && equalSecrets(token, adminKey)) return adminPrincipal;
      if (!keyPattern.test(token)) return undefined;
      const now = clock.now();
      const key = await lookup.get(sha256Hex(token));
      if (key === undefined || !isLive(key, now)) return undefined;
      noteUse(key, now);
      return { kind: 'api_key', id: key.id, scopes: key.scopes };
    },

    /** Makes a key. The answer is the only place where it can be read. Without `by` it is the service itself who does. Throws `api_keys.expiry_past`. */
    async create(
      { name, scopes, expires_at }: CreateApiKeyBody,
      by: Partial<AuditActor> = {},
    ): Promise<CreatedApiKeyView> {
      const now = clock.now();
      const expiresAt = typeof expires_at === 'string' ? new Date(expires_at) : null;
      if (expiresAt !== null && expiresAt.getTime() <= now) throw apiKeyErrors.expiry_past();
      const secret = `svc_${randomSecret(32)}`;
      const key: ApiKey = {
        id: uuidv7(now),
        name,
        hint: secret.slice(0, hintLength),
        scopes: [...new Set(scopes)],
        createdAt: new Date(now),
        lastUsedAt: null,
        expiresAt,
        revokedAt: null,
      };
      await store.insert(key, sha256Hex(secret));
      await note('api_key.created', key, by);
      return { ...toView(key), key: secret };
    },

    /** A page of keys, newest first, revoked ones included. `cursor` is the `next_cursor` of the page before. */
    async list(
      { limit, cursor }: { limit: number; cursor?: string | undefined },
      signal?: AbortSignal,
    ): Promise<ApiKeyPage> {
      const [keys, total] = await Promise.all([
        store.list(limit + 1, cursor, signal),
        store.count(signal),
      ]);
      return { ...pageById(keys.map(toView), limit), total };
    },

    /** Throws `api_keys.not_found`. */
    get: (id: string): Promise<ApiKeyView> => found(store.findById(id)),

    /** Ends the key. Doing it again changes nothing. Throws `api_keys.not_found`. */
    async revoke(id: string, by: Partial<AuditActor> = {}): Promise<ApiKeyView> {
      const now = new Date(clock.now());
      const view = await found(store.revoke(id, now));
      lookup.forget();
      onRevoked(id);
      if (view.revoked_at === now.toISOString()) await note('api_key.revoked', view, by);
      return view;
    },

    /** Keys are looked up again: one may have been revoked elsewhere. */
    forget: (): void => lookup.forget(),
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;
