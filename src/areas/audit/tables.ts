import type { Rows } from '../../platform/database/create-tables.ts';
import type { auditTables } from './migrations/0006-audit.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof auditTables> {}
}
