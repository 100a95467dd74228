import type { ColumnType, Generated } from 'kysely';

/**
 * The data model of the record store, as the newest migration leaves it.
 * timestamptz is a Date, int8 a number, date the text YYYY-MM-DD, jsonb is parsed; jsonb is written with JSON.stringify.
 */
export interface Tables {
  api_keys: ApiKeysTable;
  sites: SitesTable;
  salts: SaltsTable;
}

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

/** Websites and apps that events come from. */
export interface SitesTable {
  /** The site's number in the event store. */
  id: Generated<number>;
  /** The name that clients send. At most 64 characters. */
  site_id: string;
  created_at: Date;
  registered_by: 'open' | 'admin';
  closed: Generated<boolean>;
  settings: ColumnType<unknown, string | undefined, string>;
}

/** Random daily salts of the visitor hashes; rows older than two days are deleted. */
export interface SaltsTable {
  day: string;
  salt: Buffer;
  created_at: Date;
}
