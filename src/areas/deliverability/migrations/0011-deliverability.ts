import { createTables } from '../../../platform/database/create-tables.ts';

export const deliveryTables = {
  /** Areas that parcels are delivered to, and the services there. */
  delivery_zones: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** ISO 3166-1 alpha-2. */
    country: 'text not null',
    /** Unique within its country. */
    name: 'text not null',
    /** The highest one wins. */
    priority: 'integer not null',
    /** The currency of the prices, ISO 4217. */
    currency: 'text',
    /** Codes, ranges and prefixes as entered. */
    areas: 'jsonb not null',
    services: 'jsonb not null',
    /** True: applies to its own codes only, and does not define the served area. */
    is_rule: 'boolean not null default false',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
  },
  /** A zone's codes, ranges and prefixes as intervals of keys, from `low` to `high` inclusive. */
  delivery_intervals: {
    zone_id: 'uuid not null references delivery_zones on delete cascade',
    country: 'text not null',
    low: 'text collate "C" not null',
    high: 'text collate "C" not null',
    /** False when the interval consists of the keys that start with `low`. */
    is_range: 'boolean not null',
    /** Whether the interval is a single code. */
    is_exact: 'boolean not null',
    /** Length of the prefix shared by all of its keys. */
    specificity: 'integer not null',
  },
} as const;

export const deliverability = createTables(deliveryTables, [
  'alter table delivery_zones add constraint delivery_zones_name unique (country, name)',
  'create index delivery_intervals_low on delivery_intervals (country, is_range, low)',
  'create index delivery_intervals_zone on delivery_intervals (zone_id)',
]);
