import type { Clock } from '../../lib/clock.ts';
import { uuidv7 } from '../../lib/ids.ts';
import { equalSecrets, randomSecret, sha256Hex } from '../../lib/secrets/secrets.ts';
import { pageById } from '../../lib/keyset-page.ts';
import { systemActor } from '../../platform/http/requests/request-actor.ts';
import { requireFresh } from '../../platform/identity/freshness.ts';
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

function requireView(key: ApiKey | undefined): ApiKeyView {
  if (key === undefined) throw apiKeyErrors.not_found();
  return toView(key);
}

function isLive(key: ApiKey, now: number): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt.getTime() > now);
}

export interface ApiKeysDeps {
  store: ApiKeyStore;
  clock: Clock;
  /** If undefined, changes are not recorded. */
  audit?: Pick<Audit, 'record'> | undefined;
  /** ADMIN_API_KEY: accepted with the scope `admin` as long as it is configured. */
  adminKey?: string | undefined;
  onRevoked?: (id: string) => void;
}

type Lookup = ReturnType<typeof createKeyLookup>;

function createKeyAuthentication({ store, clock, adminKey }: ApiKeysDeps, lookup: Lookup) {
  function noteUse(key: ApiKey, now: number): void {
    if (key.lastUsedAt !== null && now - key.lastUsedAt.getTime() < lastUsedStepMs) return;
    key.lastUsedAt = new Date(now);
    // Not awaited: a cached key must keep working while the database is unavailable.
    store.touch(key.id, key.lastUsedAt, new Date(now - lastUsedStepMs)).catch(() => undefined);
  }

  return async (token: string): Promise<Principal | undefined> => {
    if (adminKey !== undefined && equalSecrets(token, adminKey)) return adminPrincipal;
    if (!keyPattern.test(token)) return undefined;
    const now = clock.now();
    const key = await lookup.get(sha256Hex(token));
    if (key === undefined || !isLive(key, now)) return undefined;
    noteUse(key, now);
    return { kind: 'api_key', id: key.id, scopes: key.scopes };
  };
}

function createKeyChanges({ store, clock, audit, onRevoked }: ApiKeysDeps, lookup: Lookup) {
  const record = (
    action: 'api_key.created' | 'api_key.revoked',
    { id, name, scopes }: Pick<ApiKeyView, 'id' | 'name' | 'scopes'>,
    by: Partial<AuditActor>,
  ) =>
    audit?.record({
      ...systemActor,
      ...by,
      action,
      target: { kind: 'api_key', id },
      details: { name, scopes },
    });

  return {
    /**
     * Creates a key. Only this response contains it. The default actor is the service itself.
     * Throws `api_keys.expiry_past`, `auth.step_up_required`.
     */
    async create(
      { name, scopes, expires_at }: CreateApiKeyBody,
      by: Partial<AuditActor> = {},
    ): Promise<CreatedApiKeyView> {
      const now = clock.now();
      // A key never signs in: made by a stale session, it would undo every step-up.
      requireFresh(by, now);
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
      await record('api_key.created', key, by);
      return { ...toView(key), key: secret };
    },

    /** Revokes a key. Repeating it changes nothing. Throws `api_keys.not_found`. */
    async revoke(id: string, by: Partial<AuditActor> = {}): Promise<ApiKeyView> {
      const now = new Date(clock.now());
      const view = requireView(await store.revoke(id, now));
      lookup.forget();
      onRevoked?.(id);
      if (view.revoked_at === now.toISOString()) await record('api_key.revoked', view, by);
      return view;
    },
  };
}

/**
 * API keys: `svc_` and 256 random bits, stored as SHA-256. A revoked key stops working at once in
 * this process, and within ten seconds, or at the next `forget`, in others.
 */
export function createApiKeys(deps: ApiKeysDeps) {
  const { store, clock } = deps;
  const lookup = createKeyLookup(store.findByHash, clock);

  return {
    /** The principal of a key; undefined if the key is unknown, revoked or expired. */
    authenticate: createKeyAuthentication(deps, lookup),

    ...createKeyChanges(deps, lookup),

    /** Newest first, revoked keys included. `cursor` is the `next_cursor` of the previous page. */
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
    get: async (id: string): Promise<ApiKeyView> => requireView(await store.findById(id)),

    /** Clears the cache, because a key may have been revoked elsewhere. */
    forget: (): void => lookup.forget(),
  };
}

export type ApiKeys = ReturnType<typeof createApiKeys>;
