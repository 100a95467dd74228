import type { Migration } from 'kysely';

export const deliveryRules: Migration = {
  async up(db) {
    await db.schema
      .alterTable('delivery_zones')
      .addColumn('is_rule', 'boolean', (column) => column.notNull().defaultTo(false))
      .execute();
  },
};
