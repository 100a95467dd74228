import type { Rows } from '../../platform/database/create-tables.ts';
import type { commsTables } from './migrations/0005-comms.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof commsTables> {}
}
