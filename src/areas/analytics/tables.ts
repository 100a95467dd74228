import type { Rows } from '../../platform/database/create-tables.ts';
import type { analyticsTables } from './migrations/0004-analytics.ts';

declare module '../../platform/database/tables.ts' {
  interface Tables extends Rows<typeof analyticsTables> {}
}
