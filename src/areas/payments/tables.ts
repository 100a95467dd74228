import type { Rows } from '../../platform/database/create-tables.ts';
import type { paymentTables } from './migrations/0009-payments.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof paymentTables> {}
}
