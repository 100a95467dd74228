/** Statuses of a component, named as in Statuspage. */
export const componentStatuses = [
  'operational',
  'degraded_performance',
  'partial_outage',
  'major_outage',
  'under_maintenance',
] as const;
export type ComponentStatus = (typeof componentStatuses)[number];

export const incidentStatuses = [
  'investigating',
  'identified',
  'monitoring',
  'resolved',
  'postmortem',
] as const;
type IncidentStatus = (typeof incidentStatuses)[number];

export const maintenanceStatuses = ['scheduled', 'in_progress', 'verifying', 'completed'] as const;
export type MaintenanceStatus = (typeof maintenanceStatuses)[number];

export const impacts = ['none', 'minor', 'major', 'critical', 'maintenance'] as const;
export type Impact = (typeof impacts)[number];

export type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance';

/** The status of a component on one day (UTC). */
export interface DayState {
  /** YYYY-MM-DD. */
  day: string;
  /** The worst status of the day; `no_data` before the component existed. */
  worst: ComponentStatus | 'no_data';
  /** Milliseconds of the day in each status other than operational. */
  ms: Partial<Record<Exclude<ComponentStatus, 'operational'>, number>>;
}

/** The public state of a component. Times are Unix ms. */
export interface ComponentState {
  /** Letters, digits and dashes; part of URLs. */
  id: string;
  name: string;
  description: string | null;
  /** Heading of its group. */
  group: string | null;
  position: number;
  status: ComponentStatus;
  onlyShowIfDegraded: boolean;
  createdAt: number;
  updatedAt: number;
  /** The last 90 days, oldest first. */
  days: readonly DayState[];
  /**
   * Uptime in percent of the days with data; partial outages count 30 %. Null without data.
   */
  uptime: number | null;
  /** Hourly means of the last two days in ms, oldest first; empty when not measured. */
  responseTimes: readonly { at: number; ms: number }[];
}

export interface UpdateState {
  id: string;
  status: IncidentStatus | MaintenanceStatus;
  /** Plain text; blank lines separate paragraphs. */
  body: string;
  createdAt: number;
  displayAt: number;
}

export interface IncidentState {
  id: string;
  kind: 'incident' | 'maintenance';
  name: string;
  status: IncidentStatus | MaintenanceStatus;
  impact: Impact;
  /** Ids of the affected components. */
  components: readonly string[];
  createdAt: number;
  updatedAt: number;
  resolvedAt: number | null;
  /** Maintenance only. */
  scheduledFor: number | null;
  scheduledUntil: number | null;
  /** Newest first. */
  updates: readonly UpdateState[];
}

/** The complete public state. */
export interface StatusState {
  indicator: Indicator;
  /** For example `All Systems Operational`. */
  description: string;
  components: readonly ComponentState[];
  /** Unresolved incidents, newest first. */
  incidents: readonly IncidentState[];
  /** Scheduled and in-progress maintenance, soonest first. */
  maintenances: readonly IncidentState[];
  /** Resolved incidents and completed maintenance of the last 90 days, newest first. */
  history: readonly IncidentState[];
  /** When a component or an incident last changed. */
  updatedAt: number;
  /** When the components were last checked, to the minute. Null before the first check. */
  checkedAt: number | null;
}
