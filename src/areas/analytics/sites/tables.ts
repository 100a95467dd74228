import type { ColumnType, Generated } from 'kysely';

/** Websites and apps that send events. */
interface SitesTable {
  /** The number of the site in the event store. */
  id: Generated<number>;
  /** The key that clients send. At most 64 characters. */
  site_id: string;
  created_at: Date;
  registered_by: 'open' | 'admin';
  closed: Generated<boolean>;
  settings: ColumnType<unknown, string | undefined, string>;
}

/** Random daily salts of visitor hashes. Rows older than two days are deleted. */
interface SaltsTable {
  day: string;
  salt: Buffer;
  created_at: Date;
}

/** Notes at points in time, shown with the figures of a site. */
export interface AnnotationsTable {
  /** UUID version 7. */
  id: string;
  /** The number of the site. */
  site: number;
  at: Date;
  /** 1 to 200 characters. */
  text: string;
  /** The person or API key that created it. */
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    sites: SitesTable;
    salts: SaltsTable;
    annotations: AnnotationsTable;
  }
}
