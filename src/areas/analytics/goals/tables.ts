import type { ColumnType } from 'kysely';

/** Goals, or funnels, of sites. */
export interface DefinitionsTable {
  /** UUID version 7. */
  id: string;
  /** The number of the site. */
  site: number;
  /** Unique within its site. */
  name: string;
  /** The step of a goal; `within` and the steps of a funnel. */
  definition: ColumnType<unknown, string, never>;
  created_at: Date;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    goals: DefinitionsTable;
    funnels: DefinitionsTable;
  }
}
