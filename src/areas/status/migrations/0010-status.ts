import { createTables } from '../../../platform/database/create-tables.ts';

const componentStatus = `in ('operational', 'degraded_performance', 'partial_outage',
  'major_outage', 'under_maintenance')` as const;
const incidentStatus = `in ('investigating', 'identified', 'monitoring', 'resolved', 'postmortem',
  'scheduled', 'in_progress', 'verifying', 'completed')` as const;

export const statusTables = {
  /** The components of the status page. */
  status_components: {
    /** Letters, digits and dashes. */
    id: 'text primary key',
    name: 'text not null',
    description: 'text',
    group_name: 'text',
    position: 'integer not null',
    /** `builtin`: own health checks; otherwise probes of `target` (a URL, or `host:port`). */
    source: "text not null check (source in ('builtin', 'http', 'tcp'))",
    target: 'text',
    settings: 'jsonb not null',
    only_show_if_degraded: 'boolean not null default false',
    /** The last status of its check, and its beginning. */
    check_status: `text not null check (check_status ${componentStatus})`,
    check_since: 'timestamptz not null',
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
    archived_at: 'timestamptz',
  },
  /** Incidents and planned maintenance. */
  status_incidents: {
    /** UUID version 7. */
    id: 'uuid primary key',
    kind: "text not null check (kind in ('incident', 'maintenance'))",
    name: 'text not null',
    status: `text not null check (status ${incidentStatus})`,
    impact: "text not null check (impact in ('none', 'minor', 'major', 'critical', 'maintenance'))",
    created_at: 'timestamptz not null',
    updated_at: 'timestamptz not null',
    /** When it was resolved or completed. */
    resolved_at: 'timestamptz',
    scheduled_for: 'timestamptz',
    scheduled_until: 'timestamptz',
    /** `downtime`: recorded by the service after it had not been running. */
    source: "text not null check (source in ('admin', 'downtime'))",
  },
  /** The status of each component while an incident is open. */
  status_incident_components: {
    incident_id: 'uuid not null references status_incidents on delete cascade',
    component_id: 'text not null references status_components on delete cascade',
    status: `text not null check (status ${componentStatus})`,
  },
  /** Updates of incidents and maintenance. */
  status_incident_updates: {
    id: 'uuid primary key',
    incident_id: 'uuid not null references status_incidents on delete cascade',
    status: `text not null check (status ${incidentStatus})`,
    body: 'text not null',
    created_at: 'timestamptz not null',
    display_at: 'timestamptz not null',
  },
  /** Periods in which a component was not operational. */
  status_spans: {
    /** UUID version 7. */
    id: 'uuid primary key',
    component_id: 'text not null references status_components on delete cascade',
    status: `text not null check (status ${componentStatus})`,
    began_at: 'timestamptz not null',
    /** Null while it lasts. */
    ended_at: 'timestamptz',
    cause: "text not null check (cause in ('check', 'downtime', 'incident', 'maintenance'))",
    /** The incident or maintenance that caused it. */
    incident_id: 'uuid references status_incidents on delete cascade',
  },
  /** Response times of a component's check, by hour. */
  status_response_times: {
    component_id: 'text not null references status_components on delete cascade',
    hour: 'timestamptz not null',
    count: 'integer not null',
    sum_ms: 'integer not null',
  },
  /** One row: the process that records, and its last heartbeat. */
  status_heartbeat: {
    /** Always true. */
    one: 'boolean primary key check (one)',
    /** Null before the first start. */
    at: 'timestamptz',
    holder: 'uuid',
    /** Incremented with every change to the public state. */
    version: 'integer not null default 0',
  },
  /** Email subscribers. */
  status_subscribers: {
    id: 'uuid primary key',
    /** In lower case. */
    email: 'text not null unique',
    created_at: 'timestamptz not null',
    /** Null until the subscription is confirmed. */
    confirmed_at: 'timestamptz',
    /** SHA-256 of the proof in the confirmation link. */
    confirm_hash: 'text',
    last_asked_at: 'timestamptz not null',
  },
} as const;

export const status = createTables(statusTables, [
  'create index status_incidents_of_kind on status_incidents (kind, id)',
  `alter table status_incident_components
    add constraint status_incident_components_key primary key (incident_id, component_id)`,
  'create index status_incident_updates_of on status_incident_updates (incident_id)',
  'create index status_spans_ended on status_spans (ended_at)',
  'create index status_spans_of_incident on status_spans (incident_id)',
  `create unique index status_spans_open on status_spans (component_id)
    where cause = 'check' and ended_at is null`,
  `alter table status_response_times
    add constraint status_response_times_key primary key (component_id, hour)`,
  // Exactly one row. `holder` is the replica that records.
  'insert into status_heartbeat (one) values (true)',
  'create index status_subscribers_asked on status_subscribers (confirm_hash)',
]);
