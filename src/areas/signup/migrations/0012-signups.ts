import { createTables } from '../../../platform/database/create-tables.ts';

export const signupTables = {
  /** Signups, confirmed or not. */
  signups: {
    /** UUID version 7. */
    id: 'uuid primary key',
    /** In lower case. */
    email: 'text not null unique',
    name: 'text',
    company: 'text',
    /** E.164. */
    phone: 'text',
    plan: 'text',
    referral_code: 'text',
    /** When the terms were accepted; null if they were not. */
    consent_at: 'timestamptz',
    created_at: 'timestamptz not null',
    /** Null until the link in the message is used. */
    confirmed_at: 'timestamptz',
    /** SHA-256 of the link's secret; null once it is used. */
    confirm_hash: 'text',
    last_asked_at: 'timestamptz not null',
    /** How many links were sent. */
    asked: 'integer not null',
  },
} as const;

export const signups = createTables(signupTables, [
  'create index signups_by_time on signups (created_at, id)',
]);
