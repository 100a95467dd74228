import type { ColumnType } from 'kysely';

/** What is looked for in the figures of a site: a goal, or a funnel. */
export interface DefinitionsTable {
  /** UUID version 7. */
  id: string;
  /** The number of the site. */
  site: number;
  /** One of its site. */
  name: string;
  /** A goal's step; what a funnel is within, and its steps. */
  definition: ColumnType<unknown, string, never>;
  created_at: Date;
}

declare module '../../../platform/database/tables.ts' {
  interface Tables {
    goals: DefinitionsTable;
    funnels: DefinitionsTable;
  }
}
