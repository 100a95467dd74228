import type { Migration } from 'kysely';

export const analyticsGoals: Migration = {
  async up(db) {
    for (const table of ['goals', 'funnels']) {
      await db.schema
        .createTable(table)
        .addColumn('id', 'uuid', (column) => column.primaryKey())
        .addColumn('site', 'integer', (column) =>
          column.notNull().references('sites.id').onDelete('cascade'),
        )
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('definition', 'jsonb', (column) => column.notNull())
        .addColumn('created_at', 'timestamptz', (column) => column.notNull())
        .addUniqueConstraint(`${table}_one`, ['site', 'name'])
        .execute();
    }
  },
};
