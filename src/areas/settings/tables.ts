import type { Rows } from '../../platform/database/create-tables.ts';
import type { settingsTables } from './migrations/0017-settings.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof settingsTables> {}
}
