import type { Rows } from '../../platform/database/create-tables.ts';
import type { deliveryTables } from './migrations/0011-deliverability.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof deliveryTables> {}
}
