import { z } from 'zod';
import { componentStatuses, impacts, incidentStatuses, maintenanceStatuses } from './model.ts';

const time = z.iso.datetime();

export const Component = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    status: z.enum(componentStatuses),
    group: z
      .boolean()
      .describe('True for a group heading, whose members are listed in `components`.'),
    group_id: z.string().nullable(),
    position: z.int().describe('Sort order, ascending.'),
    only_show_if_degraded: z
      .boolean()
      .describe('Hidden on the status page while it is operational.'),
    created_at: time,
    updated_at: time,
    components: z.array(z.string()).optional(),
  })
  .meta({
    id: 'StatusComponent',
    examples: [
      {
        id: 'analytics',
        name: 'Analytics',
        description: null,
        status: 'operational',
        group: false,
        group_id: null,
        position: 1,
        only_show_if_degraded: false,
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type Component = z.output<typeof Component>;

const Update = z.object({
  id: z.string(),
  status: z.string().describe('Status set by the update.'),
  body: z.string().describe('Plain text; blank lines separate paragraphs.'),
  created_at: time,
  display_at: time.describe('Time shown on the status page.'),
});

const incidentFields = {
  id: z.string(),
  name: z.string(),
  impact: z.enum(impacts),
  created_at: time,
  updated_at: time,
  resolved_at: time.nullable(),
  incident_updates: z.array(Update).describe('Newest first.'),
  components: z.array(Component).describe('Affected components with their current status.'),
};

export const Incident = z.object({ ...incidentFields, status: z.enum(incidentStatuses) }).meta({
  id: 'StatusIncident',
  examples: [
    {
      id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
      name: 'Slow figures',
      impact: 'minor',
      created_at: '2026-05-04T09:30:00.000Z',
      updated_at: '2026-05-04T10:15:00.000Z',
      resolved_at: null,
      incident_updates: [
        {
          id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
          status: 'investigating',
          body: 'We are looking into slow figures.',
          created_at: '2026-05-04T09:30:00.000Z',
          display_at: '2026-05-04T09:30:00.000Z',
        },
      ],
      components: [],
      status: 'investigating',
    },
  ],
});
export type Incident = z.output<typeof Incident>;

export const Maintenance = z
  .object({
    ...incidentFields,
    status: z.enum(maintenanceStatuses),
    scheduled_for: time.describe('Start time. The maintenance starts automatically.'),
    scheduled_until: time.describe('End time. The maintenance is completed automatically.'),
  })
  .meta({ id: 'StatusMaintenance' });
export type Maintenance = z.output<typeof Maintenance>;

/** The summary of Atlassian Statuspage, which many third-party tools can read. */
export const StatusSummary = z
  .object({
    page: z.object({
      id: z.string(),
      name: z.string(),
      url: z.string(),
      time_zone: z.string(),
      updated_at: time.describe(
        'When the components were last checked, to the minute, or when something last changed.',
      ),
    }),
    status: z.object({
      indicator: z
        .enum(['none', 'minor', 'major', 'critical', 'maintenance'])
        .describe('Overall status. `none`: all components are operational.'),
      description: z.string().describe('Overall status as text.'),
    }),
    components: z.array(Component),
    incidents: z.array(Incident).describe('Unresolved incidents, newest first.'),
    scheduled_maintenances: z
      .array(Maintenance)
      .describe('Scheduled and in-progress maintenance, soonest first.'),
  })
  .meta({
    id: 'StatusSummary',
    description: 'The overall status, components, unresolved incidents and planned maintenance.',
    examples: [
      {
        page: {
          id: 'platform',
          name: 'Platform Service',
          url: 'https://platform.example/status',
          time_zone: 'Etc/UTC',
          updated_at: '2026-05-04T10:15:00.000Z',
        },
        status: { indicator: 'none', description: 'All Systems Operational' },
        components: [
          {
            id: 'analytics',
            name: 'Analytics',
            description: null,
            status: 'operational',
            group: false,
            group_id: null,
            position: 1,
            only_show_if_degraded: false,
            created_at: '2026-05-04T09:30:00.000Z',
            updated_at: '2026-05-04T10:15:00.000Z',
          },
        ],
        incidents: [],
        scheduled_maintenances: [],
      },
    ],
  });
export type StatusSummary = z.output<typeof StatusSummary>;
