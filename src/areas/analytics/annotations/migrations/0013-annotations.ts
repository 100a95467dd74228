import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const annotations: Migration = {
  async up(db) {
    await db.schema
      .createTable('annotations')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('site', 'integer', (column) =>
        column.notNull().references('sites.id').onDelete('cascade'),
      )
      .addColumn('at', 'timestamptz', (column) => column.notNull())
      .addColumn('text', 'text', (column) =>
        column.notNull().check(sql`length(text) between 1 and 200`),
      )
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('annotations_of_site')
      .on('annotations')
      .columns(['site', 'at', 'id'])
      .execute();
  },
};
