/** API keys. The key itself is not stored, only its SHA-256. */
export interface ApiKeysTable {
  /** UUID version 7, so that ids sort by age. */
  id: string;
  name: string;
  /** SHA-256 of the whole key, lower-case hex. */
  secret_hash: string;
  /** The first characters of the key, shown in lists. */
  hint: string;
  scopes: string[];
  created_at: Date;
  last_used_at: Date | null;
  expires_at: Date | null;
  revoked_at: Date | null;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    api_keys: ApiKeysTable;
  }
}
