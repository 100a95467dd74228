/** Bearer keys. The key itself is nowhere: only its SHA-256. */
export interface ApiKeysTable {
  /** UUID version 7, so that ids sort by age. */
  id: string;
  name: string;
  /** SHA-256 of the whole key, lower-case hex. */
  secret_hash: string;
  /** First characters of the key, to recognise it by. */
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
