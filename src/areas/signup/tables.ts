import type { Rows } from '../../platform/database/create-tables.ts';
import type { signupTables } from './migrations/0012-signups.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof signupTables> {}
}
