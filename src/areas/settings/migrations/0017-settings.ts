import { createTables } from '../../../platform/database/create-tables.ts';

export const settingsTables = {
  /** What admins have set in the console: a row for each group of settings, such as `brand`. */
  settings: {
    name: 'text primary key',
    /** Its members; those that are missing are as the environment says. */
    value: 'jsonb not null',
    /** The logo of the brand, as PNG. */
    picture: 'bytea',
    updated_at: 'timestamptz not null',
  },
} as const;

export const settings = createTables(settingsTables);
