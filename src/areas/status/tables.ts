import type { ColumnType, Generated } from 'kysely';

type ComponentStatus =
  'operational' | 'degraded_performance' | 'partial_outage' | 'major_outage' | 'under_maintenance';

/** The components of the status page. */
export interface StatusComponentsTable {
  /** Letters, digits and dashes. */
  id: string;
  name: string;
  description: string | null;
  group_name: string | null;
  position: number;
  /** `builtin`: own health checks; otherwise probes of `target` (a URL, or `host:port`). */
  source: 'builtin' | 'http' | 'tcp';
  target: string | null;
  settings: ColumnType<unknown, string, string>;
  only_show_if_degraded: Generated<boolean>;
  /** The last status of its check, and its beginning. */
  check_status: ComponentStatus;
  check_since: Date;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
}

/** Periods in which a component was not operational. */
interface StatusSpansTable {
  /** UUID version 7. */
  id: string;
  component_id: string;
  status: ComponentStatus;
  began_at: Date;
  /** Null while it lasts. */
  ended_at: Date | null;
  cause: 'check' | 'downtime' | 'incident' | 'maintenance';
  /** The incident or maintenance that caused it. */
  incident_id: string | null;
}

/** Incidents and planned maintenance. */
export interface StatusIncidentsTable {
  /** UUID version 7. */
  id: string;
  kind: 'incident' | 'maintenance';
  name: string;
  status:
    | 'investigating'
    | 'identified'
    | 'monitoring'
    | 'resolved'
    | 'postmortem'
    | 'scheduled'
    | 'in_progress'
    | 'verifying'
    | 'completed';
  impact: 'none' | 'minor' | 'major' | 'critical' | 'maintenance';
  created_at: Date;
  updated_at: Date;
  /** When it was resolved or completed. */
  resolved_at: Date | null;
  scheduled_for: Date | null;
  scheduled_until: Date | null;
  /** `downtime`: recorded by the service after it had not been running. */
  source: 'admin' | 'downtime';
}

/** The status of each component while an incident is open. */
interface StatusIncidentComponentsTable {
  incident_id: string;
  component_id: string;
  status: ComponentStatus;
}

/** Updates of incidents and maintenance. */
export interface StatusIncidentUpdatesTable {
  id: string;
  incident_id: string;
  status: StatusIncidentsTable['status'];
  body: string;
  created_at: Date;
  display_at: Date;
}

/** Response times of a component's check, by hour. */
interface StatusResponseTimesTable {
  component_id: string;
  hour: Date;
  count: number;
  sum_ms: number;
}

/** One row: the process that records, and its last heartbeat. */
interface StatusHeartbeatTable {
  /** Always true. */
  one: boolean;
  /** Null before the first start. */
  at: Date | null;
  holder: string | null;
  /** Incremented with every change to the public state. */
  version: Generated<number>;
}

/** Email subscribers. */
interface StatusSubscribersTable {
  id: string;
  /** In lower case. */
  email: string;
  created_at: Date;
  /** Null until the subscription is confirmed. */
  confirmed_at: Date | null;
  /** SHA-256 of the proof in the confirmation link. */
  confirm_hash: string | null;
  last_asked_at: Date;
}

declare module '../../platform/database/tables.ts' {
  interface Tables {
    status_components: StatusComponentsTable;
    status_spans: StatusSpansTable;
    status_incidents: StatusIncidentsTable;
    status_incident_components: StatusIncidentComponentsTable;
    status_incident_updates: StatusIncidentUpdatesTable;
    status_response_times: StatusResponseTimesTable;
    status_heartbeat: StatusHeartbeatTable;
    status_subscribers: StatusSubscribersTable;
  }
}
