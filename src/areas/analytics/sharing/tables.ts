/** Share links: the figures of a site for people without an account. */
export interface AnalyticsSharesTable {
  /** UUID version 7. */
  id: string;
  /** The number of the site. */
  site: number;
  name: string;
  /** SHA-256 of the secret in the link, lower-case hex. */
  slug_hash: string;
  /** scrypt (RFC 7914) with salt; null: the link needs no password. */
  password_hash: string | null;
  expires_at: Date | null;
  /** The person or API key that created it. */
  created_by: string;
  created_at: Date;
  /** Accurate to a minute. */
  last_used_at: Date | null;
  revoked_at: Date | null;
}

/** Reports: the figures of a site by email. */
export interface AnalyticsReportsTable {
  /** UUID version 7. */
  id: string;
  site: number;
  /** Lower-case. */
  email: string;
  frequency: 'weekly' | 'monthly';
  /** IANA time zone of the days. */
  timezone: string;
  created_by: string;
  created_at: Date;
  /** First local day of the last reported period. */
  last_sent_for: string | null;
  /** Set when the recipient unsubscribes. */
  unsubscribed_at: Date | null;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    analytics_shares: AnalyticsSharesTable;
    analytics_reports: AnalyticsReportsTable;
  }
}
