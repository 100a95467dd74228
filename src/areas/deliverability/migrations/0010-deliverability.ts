import { sql } from 'kysely';
import type { Migration } from 'kysely';

export const deliverability: Migration = {
  async up(db) {
    await db.schema
      .createTable('delivery_zones')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('country', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('priority', 'integer', (column) => column.notNull())
      .addColumn('currency', 'text')
      .addColumn('areas', 'jsonb', (column) => column.notNull())
      .addColumn('services', 'jsonb', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .addUniqueConstraint('delivery_zones_name', ['country', 'name'])
      .execute();
    // The keys are designed for bytewise comparison, so the collation must not be the server's.
    await db.schema
      .createTable('delivery_intervals')
      .addColumn('zone_id', 'uuid', (column) =>
        column.notNull().references('delivery_zones.id').onDelete('cascade'),
      )
      .addColumn('country', 'text', (column) => column.notNull())
      .addColumn('low', sql`text collate "C"`, (column) => column.notNull())
      .addColumn('high', sql`text collate "C"`, (column) => column.notNull())
      .addColumn('is_range', 'boolean', (column) => column.notNull())
      .addColumn('is_exact', 'boolean', (column) => column.notNull())
      .addColumn('specificity', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('delivery_intervals_low')
      .on('delivery_intervals')
      .columns(['country', 'is_range', 'low'])
      .execute();
    await db.schema
      .createIndex('delivery_intervals_zone')
      .on('delivery_intervals')
      .column('zone_id')
      .execute();
  },
};
