import { createTables } from '../../../platform/database/create-tables.ts';

/** Goals and funnels have the same columns. */
const definitions = {
  /** UUID version 7. */
  id: 'uuid primary key',
  /** The number of the site. */
  site: 'integer not null references sites on delete cascade',
  /** Unique within its site. */
  name: 'text not null',
  /** The step of a goal; `within` and the steps of a funnel. */
  definition: 'jsonb not null',
  created_at: 'timestamptz not null',
} as const;

export const analyticsTables = {
  /** Websites and apps that send events. */
  sites: {
    /** The number of the site in the event store. */
    id: 'serial primary key',
    /** The key that clients send. At most 64 characters. */
    site_id: 'text not null check (length(site_id) between 1 and 64) unique',
    created_at: 'timestamptz not null',
    registered_by: "text not null check (registered_by in ('open', 'admin'))",
    closed: 'boolean not null default false',
    settings: "jsonb not null default '{}'",
  },
  /** Random daily salts of visitor hashes. Rows older than two days are deleted. */
  salts: {
    day: 'date primary key',
    salt: 'bytea not null',
    created_at: 'timestamptz not null',
  },
  /** Notes at points in time, shown with the figures of a site. */
  annotations: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** The number of the site. */
    site: 'integer not null references sites on delete cascade',
    at: 'timestamptz not null',
    /** 1 to 200 characters. */
    text: 'text not null check (length(text) between 1 and 200)',
    /** The person or API key that created it. */
    created_by: 'text not null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
  goals: definitions,
  funnels: definitions,
  /** Share links: the figures of a site for people without an account. */
  analytics_shares: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** The number of the site. */
    site: 'integer not null references sites on delete cascade',
    name: 'text not null',
    /** SHA-256 of the secret in the link, lower-case hex. */
    slug_hash: 'text not null unique',
    /** scrypt (RFC 7914) with salt; null: the link needs no password. */
    password_hash: 'text',
    expires_at: 'timestamptz',
    /** The person or API key that created it. */
    created_by: 'text not null',
    created_at: 'timestamptz not null',
    /** Accurate to a minute. */
    last_used_at: 'timestamptz',
    revoked_at: 'timestamptz',
  },
  /** Reports: the figures of a site by email. */
  analytics_reports: {
    /** UUID version 7. */
    id: 'uuid primary key',
    site: 'integer not null references sites on delete cascade',
    /** Lower-case. */
    email: 'text not null',
    frequency: "text not null check (frequency in ('weekly', 'monthly'))",
    /** IANA time zone of the days. */
    timezone: 'text not null',
    created_by: 'text not null',
    created_at: 'timestamptz not null',
    /** First local day of the last reported period. */
    last_sent_for: 'date',
    /** Set when the recipient unsubscribes. */
    unsubscribed_at: 'timestamptz',
  },
} as const;

export const analytics = createTables(analyticsTables, [
  'create index annotations_of_site on annotations (site, at, id)',
  'alter table goals add constraint goals_one unique (site, name)',
  'alter table funnels add constraint funnels_one unique (site, name)',
  'create index analytics_shares_of_site on analytics_shares (site, id)',
  `alter table analytics_reports
    add constraint analytics_reports_one unique (site, email, frequency)`,
]);
