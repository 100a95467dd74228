import { sql } from 'kysely';
import type { Kysely, Migration } from 'kysely';

const componentStatus = sql.raw(
  "in ('operational', 'degraded_performance', 'partial_outage', 'major_outage', " +
    "'under_maintenance')",
);
const incidentStatus = sql.raw(
  "in ('investigating', 'identified', 'monitoring', 'resolved', 'postmortem', " +
    "'scheduled', 'in_progress', 'verifying', 'completed')",
);

async function components(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('status_components')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('group_name', 'text')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('source', 'text', (column) =>
      column.notNull().check(sql`source in ('builtin', 'http', 'tcp')`),
    )
    .addColumn('target', 'text')
    .addColumn('settings', 'jsonb', (column) => column.notNull())
    .addColumn('only_show_if_degraded', 'boolean', (column) => column.notNull().defaultTo(false))
    .addColumn('check_status', 'text', (column) =>
      column.notNull().check(sql`check_status ${componentStatus}`),
    )
    .addColumn('check_since', 'timestamptz', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addColumn('archived_at', 'timestamptz')
    .execute();
}

async function incidents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('status_incidents')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('incident', 'maintenance')`),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status ${incidentStatus}`))
    .addColumn('impact', 'text', (column) =>
      column.notNull().check(sql`impact in ('none', 'minor', 'major', 'critical', 'maintenance')`),
    )
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
    .addColumn('resolved_at', 'timestamptz')
    .addColumn('scheduled_for', 'timestamptz')
    .addColumn('scheduled_until', 'timestamptz')
    .addColumn('source', 'text', (column) =>
      column.notNull().check(sql`source in ('admin', 'downtime')`),
    )
    .execute();
  await db.schema
    .createIndex('status_incidents_of_kind')
    .on('status_incidents')
    .columns(['kind', 'id'])
    .execute();
  await db.schema
    .createTable('status_incident_components')
    .addColumn('incident_id', 'uuid', (column) =>
      column.notNull().references('status_incidents.id').onDelete('cascade'),
    )
    .addColumn('component_id', 'text', (column) =>
      column.notNull().references('status_components.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status ${componentStatus}`))
    .addPrimaryKeyConstraint('status_incident_components_key', ['incident_id', 'component_id'])
    .execute();
  await db.schema
    .createTable('status_incident_updates')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('incident_id', 'uuid', (column) =>
      column.notNull().references('status_incidents.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status ${incidentStatus}`))
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addColumn('display_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('status_incident_updates_of')
    .on('status_incident_updates')
    .column('incident_id')
    .execute();
}

async function records(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('status_spans')
    .addColumn('id', 'uuid', (column) => column.primaryKey())
    .addColumn('component_id', 'text', (column) =>
      column.notNull().references('status_components.id').onDelete('cascade'),
    )
    .addColumn('status', 'text', (column) => column.notNull().check(sql`status ${componentStatus}`))
    .addColumn('began_at', 'timestamptz', (column) => column.notNull())
    .addColumn('ended_at', 'timestamptz')
    .addColumn('cause', 'text', (column) =>
      column.notNull().check(sql`cause in ('check', 'downtime', 'incident', 'maintenance')`),
    )
    .addColumn('incident_id', 'uuid', (column) =>
      column.references('status_incidents.id').onDelete('cascade'),
    )
    .execute();
  await db.schema.createIndex('status_spans_ended').on('status_spans').column('ended_at').execute();
  await db.schema
    .createIndex('status_spans_of_incident')
    .on('status_spans')
    .column('incident_id')
    .execute();
  await sql`
    create unique index status_spans_open on status_spans (component_id)
    where cause = 'check' and ended_at is null`.execute(db);
  await db.schema
    .createTable('status_response_times')
    .addColumn('component_id', 'text', (column) =>
      column.notNull().references('status_components.id').onDelete('cascade'),
    )
    .addColumn('hour', 'timestamptz', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('sum_ms', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('status_response_times_key', ['component_id', 'hour'])
    .execute();
}

export const status: Migration = {
  async up(db) {
    await components(db);
    await incidents(db);
    await records(db);
    // Exactly one row. `holder` is the replica that records.
    await db.schema
      .createTable('status_heartbeat')
      .addColumn('one', 'boolean', (column) => column.primaryKey().check(sql`one`))
      .addColumn('at', 'timestamptz')
      .addColumn('holder', 'uuid')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await sql`insert into status_heartbeat (one) values (true)`.execute(db);
    await db.schema
      .createTable('status_subscribers')
      .addColumn('id', 'uuid', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('confirmed_at', 'timestamptz')
      .addColumn('confirm_hash', 'text')
      .addColumn('last_asked_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('status_subscribers_asked')
      .on('status_subscribers')
      .column('confirm_hash')
      .execute();
  },
};
