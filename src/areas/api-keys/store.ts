import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { cancellable, type Database } from '../../platform/database/database.ts';
import { type ApiKeyScope, apiKeyScopes } from '../../lib/access.ts';
import type { Tables } from '../../platform/database/tables.ts';

export interface ApiKey {
  id: string;
  name: string;
  hint: string;
  scopes: ApiKeyScope[];
  createdAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const scopeList = z.array(z.enum(apiKeyScopes));
const columns = [
  'id',
  'name',
  'hint',
  'scopes',
  'created_at',
  'last_used_at',
  'expires_at',
  'revoked_at',
] as const;

function toApiKey(row: Pick<Selectable<Tables['api_keys']>, (typeof columns)[number]>): ApiKey {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    scopes: scopeList.parse(row.scopes),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  };
}

function createKeyQueries(db: Database) {
  async function findBy(column: 'id' | 'secret_hash', value: string): Promise<ApiKey | undefined> {
    const row = await db
      .selectFrom('api_keys')
      .select(columns)
      .where(column, '=', value)
      .executeTakeFirst();
    return row === undefined ? undefined : toApiKey(row);
  }

  return {
    findById: (id: string) => findBy('id', id),
    findByHash: (hash: string) => findBy('secret_hash', hash),

    /** At most `limit` keys older than the one with the id `after`, newest first. */
    async list(limit: number, after: string | undefined, signal?: AbortSignal): Promise<ApiKey[]> {
      let query = cancellable(db, signal)
        .selectFrom('api_keys')
        .select(columns)
        .orderBy('id', 'desc')
        .limit(limit);
      if (after !== undefined) query = query.where('id', '<', after);
      return (await query.execute()).map(toApiKey);
    },

    async count(signal?: AbortSignal): Promise<number> {
      const { total } = await cancellable(db, signal)
        .selectFrom('api_keys')
        .select(sql<number>`count(*)`.as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },
  };
}

/** API keys in SQL. Only their hashes are stored. */
export function createApiKeyStore(db: Database) {
  const queries = createKeyQueries(db);

  return {
    ...queries,

    async insert(key: ApiKey, secretHash: string): Promise<void> {
      const { createdAt, lastUsedAt, expiresAt, revokedAt, ...rest } = key;
      await db
        .insertInto('api_keys')
        .values({
          ...rest,
          secret_hash: secretHash,
          created_at: createdAt,
          last_used_at: lastUsedAt,
          expires_at: expiresAt,
          revoked_at: revokedAt,
        })
        .execute();
    },

    /** Revokes the key unless it is revoked already, and returns it; undefined if there is none. */
    async revoke(id: string, now: Date): Promise<ApiKey | undefined> {
      await db
        .updateTable('api_keys')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
      return queries.findById(id);
    },

    /** Sets the time of last use, unless the stored one is later than `unlessSince`. */
    async touch(id: string, now: Date, unlessSince: Date): Promise<void> {
      await db
        .updateTable('api_keys')
        .set({ last_used_at: now })
        .where('id', '=', id)
        .where((is) =>
          is.or([is('last_used_at', 'is', null), is('last_used_at', '<=', unlessSince)]),
        )
        .execute();
    },
  };
}

export type ApiKeyStore = ReturnType<typeof createApiKeyStore>;
