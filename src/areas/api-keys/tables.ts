import type { Rows } from '../../platform/database/create-tables.ts';
import type { apiKeyTables } from './migrations/0003-api-keys.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof apiKeyTables> {}
}
