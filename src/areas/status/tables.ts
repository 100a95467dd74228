import type { ColumnType, Generated } from 'kysely';

type ComponentStatus =
  'operational' | 'degraded_performance' | 'partial_outage' | 'major_outage' | 'under_maintenance';

/** What the status page shows. */
export interface StatusComponentsTable {
  /** Letters, digits and dashes. */
  id: string;
  name: string;
  description: string | null;
  group_name: string | null;
  position: number;
  /** Who checks it: the service itself, or a request to `target` (a URL, or `host:port`). */
  source: 'builtin' | 'http' | 'tcp';
  target: string | null;
  settings: ColumnType<unknown, string, string>;
  only_show_if_degraded: Generated<boolean>;
  /** What its check said last, and since when. */
  check_status: ComponentStatus;
  check_since: Date;
  created_at: Date;
  updated_at: Date;
  archived_at: Date | null;
}

/** When a component was anything but operational. */
interface StatusSpansTable {
  /** UUID version 7. */
  id: string;
  component_id: string;
  status: ComponentStatus;
  began_at: Date;
  /** Null while it goes on. */
  ended_at: Date | null;
  cause: 'check' | 'downtime' | 'incident' | 'maintenance';
  /** The incident or maintenance it comes from. */
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
  /** When it was over. */
  resolved_at: Date | null;
  scheduled_for: Date | null;
  scheduled_until: Date | null;
  /** Who entered it: a person, or the service after it was not running. */
  source: 'admin' | 'downtime';
}

/** How each component is while an incident is open. */
interface StatusIncidentComponentsTable {
  incident_id: string;
  component_id: string;
  status: ComponentStatus;
}

/** What was said about an incident, and when. */
export interface StatusIncidentUpdatesTable {
  id: string;
  incident_id: string;
  status: StatusIncidentsTable['status'];
  body: string;
  created_at: Date;
  display_at: Date;
}

/** Answers of a component's check in one hour. */
interface StatusResponseTimesTable {
  component_id: string;
  hour: Date;
  count: number;
  sum_ms: number;
}

/** One row: which process records, and when it last said so. */
interface StatusHeartbeatTable {
  /** Always true. */
  one: boolean;
  /** Null before the first start. */
  at: Date | null;
  holder: string | null;
  /** Grows with every change to what the status page shows. */
  version: Generated<number>;
}

/** Who gets mail about incidents. */
interface StatusSubscribersTable {
  id: string;
  /** In lower case. */
  email: string;
  created_at: Date;
  /** Null until the link in the first mail was followed. */
  confirmed_at: Date | null;
  /** SHA-256 of the link's secret. */
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
