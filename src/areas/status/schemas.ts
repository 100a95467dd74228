import { z } from 'zod';
import { componentStatuses, impacts, incidentStatuses, maintenanceStatuses } from './model.ts';

const time = z.iso.datetime();

export const Component = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(componentStatuses),
  group: z.boolean().describe('True for a heading: its `components` stand under it.'),
  group_id: z.string().nullable(),
  position: z.int(),
  only_show_if_degraded: z.boolean(),
  created_at: time,
  updated_at: time,
  components: z.array(z.string()).optional(),
}).meta({ id: 'StatusComponent' });
export type Component = z.output<typeof Component>;

const Update = z.object({ id: z.string(), status: z.string(), body: z.string(), created_at: time, display_at: time });

const incidentFields = {
  id: z.string(),
  name: z.string(),
  impact: z.enum(impacts),
  created_at: time,
  updated_at: time,
  resolved_at: time.nullable(),
  incident_updates: z.array(Update).describe('Newest first.'),
  components: z.array(Component).describe('Those that it concerns, as they are now.'),
};

export const Incident = z.object({ ...incidentFields, status: z.enum(incidentStatuses) }).meta({ id: 'StatusIncident' });
export type Incident = z.output<typeof Incident>;

export const Maintenance = z.object({ ...incidentFields, status: z.enum(maintenanceStatuses), scheduled_for: time, scheduled_until: time }).meta({ id: 'StatusMaintenance' });
export type Maintenance = z.output<typeof Maintenance>;

/** The summary of Atlassian's Statuspage, which status tools of many makers read. */
export const StatusSummary = z.object({
  page: z.object({ id: z.string(), name: z.string(), url: z.string(), time_zone: z.string(), updated_at: time }),
  status: z.object({ indicator: z.enum(['none', 'minor', 'major', 'critical', 'maintenance']), description: z.string() }),
  components: z.array(Component),
  incidents: z.array(Incident).describe('Those that are not resolved, newest first.'),
  scheduled_maintenances: z.array(Maintenance).describe('Planned and running maintenance, the next one first.'),
}).meta({ id: 'StatusSummary' });
export type StatusSummary = z.output<typeof StatusSummary>;
