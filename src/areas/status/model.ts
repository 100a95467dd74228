/** How a component is, in the words of Statuspage. */
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

/** One day (UTC) of a component. */
export interface DayState {
  /** YYYY-MM-DD. */
  day: string;
  /** The worst that it was; `no_data` before the component was there. */
  worst: ComponentStatus | 'no_data';
  /** Milliseconds of the day in each state other than operational. */
  ms: Partial<Record<Exclude<ComponentStatus, 'operational'>, number>>;
}

/** A component as everybody may see it. Times are Unix ms. */
export interface ComponentState {
  /** Letters, digits and dashes; part of addresses. */
  id: string;
  name: string;
  description: string | null;
  /** Heading that it stands under. */
  group: string | null;
  position: number;
  status: ComponentStatus;
  onlyShowIfDegraded: boolean;
  createdAt: number;
  updatedAt: number;
  /** The last 90 days, oldest first. */
  days: readonly DayState[];
  /** Per cent of days with data: major counts whole, partial 30 %. Null without data. */
  uptime: number | null;
  /** Mean milliseconds of each hour of two days, oldest first; empty where not measured. */
  responseTimes: readonly { at: number; ms: number }[];
}

export interface UpdateState {
  id: string;
  status: IncidentStatus | MaintenanceStatus;
  /** Plain text; blank lines part paragraphs. */
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
  /** Ids of the components that it concerns. */
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

/** Everything that the public may know, from memory. */
export interface StatusState {
  indicator: Indicator;
  /** `All Systems Operational`. */
  description: string;
  components: readonly ComponentState[];
  /** Those that are not resolved, newest first. */
  incidents: readonly IncidentState[];
  /** Planned and running maintenance, the next one first. */
  maintenances: readonly IncidentState[];
  /** Incidents and maintenance that are over, of the last 90 days, newest first. */
  history: readonly IncidentState[];
  updatedAt: number;
}
