/** Links with which somebody without an account sees the figures of a site. */
export interface AnalyticsSharesTable {
  /** UUID version 7. */
  id: string;
  /** The number of the site. */
  site: number;
  name: string;
  /** SHA-256 of the link's secret, lower-case hex. */
  slug_hash: string;
  /** scrypt (RFC 7914) with its parameters and salt; null: the link is enough. */
  password_hash: string | null;
  expires_at: Date | null;
  /** The person or API key that made it. */
  created_by: string;
  created_at: Date;
  /** Exact to a minute. */
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Who gets the figures of a site by e-mail. */
export interface AnalyticsReportsTable {
  /** UUID version 7. */
  id: string;
  site: number;
  /** In lower case. */
  email: string;
  frequency: 'weekly' | 'monthly';
  /** IANA name: days begin in it. */
  timezone: string;
  created_by: string;
  created_at: Date;
  /** First local day of the newest period that was reported. */
  last_sent_for: string | null;
  /** Set by who gets it. */
  unsubscribed_at: Date | null;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    analytics_shares: AnalyticsSharesTable;
    analytics_reports: AnalyticsReportsTable;
  }
}
