import { z } from 'zod';

const time = z.iso.datetime();

const Component = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  status: z.enum(['operational', 'degraded_performance', 'partial_outage', 'major_outage', 'under_maintenance']),
  group: z.boolean(),
  group_id: z.string().nullable(),
  position: z.int(),
  only_show_if_degraded: z.boolean(),
  created_at: time,
  updated_at: time,
}).meta({ id: 'StatusComponent' });
export type Component = z.output<typeof Component>;

const Update = z.object({ id: z.string(), status: z.string(), body: z.string(), created_at: time, display_at: time });

const Incident = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['investigating', 'identified', 'monitoring', 'resolved', 'postmortem']),
  impact: z.enum(['none', 'minor', 'major', 'critical']),
  created_at: time,
  updated_at: time,
  resolved_at: time.nullable(),
  incident_updates: z.array(Update),
}).meta({ id: 'StatusIncident' });

const Maintenance = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(['scheduled', 'in_progress', 'verifying', 'completed']),
  impact: z.enum(['none', 'minor', 'major', 'critical', 'maintenance']),
  created_at: time,
  updated_at: time,
  resolved_at: time.nullable(),
  scheduled_for: time,
  scheduled_until: time,
  incident_updates: z.array(Update),
}).meta({ id: 'StatusMaintenance' });

/** The summary of Atlassian's Statuspage, which status tools of many makers read. */
export const StatusSummary = z.object({
  page: z.object({ id: z.string(), name: z.string(), url: z.string(), time_zone: z.string(), updated_at: time }),
  status: z.object({ indicator: z.enum(['none', 'minor', 'major', 'critical', 'maintenance']), description: z.string() }),
  components: z.array(Component),
  incidents: z.array(Incident),
  scheduled_maintenances: z.array(Maintenance),
}).meta({ id: 'StatusSummary' });
export type StatusSummary = z.output<typeof StatusSummary>;
