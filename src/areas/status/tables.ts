import type { Rows } from '../../platform/database/create-tables.ts';
import type { statusTables } from './migrations/0010-status.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof statusTables> {}
}
