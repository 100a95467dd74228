import { z } from 'zod';
import { oneLine, someLines } from '../../lib/text/text-patterns.ts';
import { settingsSchema } from './components/component-store.ts';
import { componentStatuses, incidentStatuses, maintenanceStatuses } from './model.ts';
import { targetProblem } from './recording/targets.ts';
import { NextCursor } from '../../platform/validation/paging-schemas.ts';

const time = z.iso.datetime();
const [earliest, latest] = [Date.UTC(2000), Date.UTC(2100)];
const instant = z.iso
  .datetime({ offset: true })
  .refine(
    (text) => Date.parse(text) >= earliest && Date.parse(text) < latest,
    'must lie in the years 2000 to 2099',
  );
const line = (most: number) =>
  z.string().trim().max(most).regex(oneLine, 'must be one line without control characters');
const name = line(200).min(1);
const words = z
  .string()
  .trim()
  .min(1)
  .max(10_000)
  .regex(someLines, 'must have no control characters but line breaks')
  .describe('Plain text; blank lines part paragraphs.');
const id = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters, digits and single dashes')
  .meta({ examples: ['api'] });
const impact = z.enum(['none', 'minor', 'major', 'critical']);
const limit = z.coerce.number().int().min(1).max(100).default(20).describe('Most in one answer.');
const cursor = z.uuid().optional().describe('The `next_cursor` of the answer before.');

export const ComponentParams = z.object({ id });
export const IncidentParams = z.object({ id: z.uuid() });

const shown = z
  .object({
    name,
    description: line(500).nullable(),
    group: line(100).min(1).nullable().describe('Heading that it stands under.'),
    position: z.int().min(0).max(10_000).describe('Smaller ones stand first.'),
    only_show_if_degraded: z
      .boolean()
      .describe('True: pages leave it out while it is operational.'),
  })
  .partial().shape;

const {
  interval_s: interval,
  timeout_ms: timeout,
  expected_status: expected,
} = settingsSchema.shape;
const settings = z
  .strictObject({
    interval_s: interval.optional().describe('Seconds between two checks. Default 60.'),
    timeout_ms: timeout
      .optional()
      .describe(
        'Milliseconds that an answer may take. After half of them it is slow. Default 10000.',
      ),
    expected_status: expected
      .optional()
      .describe('HTTP status codes that are good. Default, and null: 200 to 399.'),
  })
  .optional();
export type SettingsBody = z.output<typeof settings>;

const source = z.enum(['http', 'tcp']);
const target = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .describe(
    'An http or https URL for `http`, `host:port` for `tcp`. Addresses of the local link (169.254/16, fe80::/10), and others where clouds give out credentials, are refused, also when a name leads there.',
  );

export const CreateComponentBody = z
  .strictObject({
    ...shown,
    id: id.optional().describe('Part of addresses. Default: made from the name.'),
    name,
    source,
    target,
    settings,
  })
  .superRefine(({ source: kind, target: place }, context) => {
    const message = targetProblem(kind, place);
    if (message !== undefined) context.addIssue({ code: 'custom', path: ['target'], message });
  })
  .meta({
    id: 'CreateStatusComponent',
    examples: [
      {
        name: 'Shop',
        source: 'http',
        target: 'https://shop.example.com/health',
        group: 'Sites',
        settings: { interval_s: 60, expected_status: [200] },
      },
    ],
  });
export type CreateComponentBody = z.output<typeof CreateComponentBody>;

export const UpdateComponentBody = z
  .strictObject({ ...shown, target: target.optional(), settings })
  .meta({
    id: 'UpdateStatusComponent',
    examples: [{ name: 'Online shop', position: 2 }],
  });
export type UpdateComponentBody = z.output<typeof UpdateComponentBody>;

export const ComponentView = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    group: z.string().nullable(),
    position: z.int(),
    status: z.enum(componentStatuses),
    source: z.enum(['builtin', 'http', 'tcp']).describe('`builtin`: the service checks it itself.'),
    target: z.string().nullable(),
    settings: z
      .object({
        interval_s: z.int(),
        timeout_ms: z.int(),
        expected_status: z.array(z.int()).nullable(),
      })
      .nullable()
      .describe('Null for built-in ones.'),
    only_show_if_degraded: z.boolean(),
    uptime: z.number().nullable().describe('Per cent, over 90 days.'),
    created_at: time,
    updated_at: time,
  })
  .meta({
    id: 'AdminStatusComponent',
    examples: [
      {
        id: 'shop',
        name: 'Shop',
        description: null,
        group: 'Sites',
        position: 1,
        status: 'operational',
        source: 'http',
        target: 'https://shop.example.com/health',
        settings: { interval_s: 60, timeout_ms: 10_000, expected_status: [200] },
        only_show_if_degraded: false,
        uptime: 99.98,
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T10:15:00.000Z',
      },
    ],
  });
export type ComponentView = z.output<typeof ComponentView>;
export const ComponentList = z
  .object({ data: z.array(ComponentView), total: z.int() })
  .meta({ id: 'AdminStatusComponentList' });

const isUnique = (list: readonly { id: string }[] | undefined): boolean =>
  list === undefined || new Set(list.map((each) => each.id)).size === list.length;
const affected = z
  .array(
    z.strictObject({
      id: z.string().min(1).max(64),
      status: z.enum(componentStatuses).exclude(['under_maintenance']),
    }),
  )
  .max(100)
  .refine(isUnique, 'must name each component once')
  .describe('Components that it concerns, and how each one is until it is resolved.');
const maintained = z
  .array(z.string().min(1).max(64))
  .max(100)
  .refine((list) => new Set(list).size === list.length, 'must name each component once')
  .describe('Ids of components that are under maintenance meanwhile.');

const openStatuses = ['investigating', 'identified', 'monitoring'] as const;

export const CreateIncidentBody = z
  .strictObject({
    name,
    status: z.enum(openStatuses).default('investigating'),
    impact: impact.optional().describe('Default: as bad as the worst of `components`.'),
    body: words,
    components: affected.default([]),
  })
  .meta({
    id: 'CreateStatusIncident',
    examples: [
      {
        name: 'Slow figures',
        status: 'investigating',
        impact: 'minor',
        body: 'We are looking into slow figures.',
        components: [{ id: 'analytics', status: 'degraded_performance' }],
      },
    ],
  });
export type CreateIncidentBody = z.output<typeof CreateIncidentBody>;

export const UpdateIncidentBody = z
  .strictObject({
    name: name.optional(),
    impact: impact.optional(),
    components: affected.optional(),
  })
  .meta({
    id: 'UpdateStatusIncident',
    examples: [{ name: 'Slow figures in Europe', impact: 'major' }],
  });
export type UpdateIncidentBody = z.output<typeof UpdateIncidentBody>;

export const CreateIncidentUpdateBody = z
  .strictObject({
    status: z
      .enum(incidentStatuses)
      .describe(
        'The incident gets it too. `resolved` ends it; `postmortem` may follow then. Any other one opens it again, with its components.',
      ),
    body: words,
    components: affected.optional().describe('In place of those before. Left out: as they are.'),
  })
  .meta({
    id: 'CreateStatusIncidentUpdate',
    examples: [
      { status: 'resolved', body: 'A slow query was the cause. Answers are quick again.' },
    ],
  });
export type CreateIncidentUpdateBody = z.output<typeof CreateIncidentUpdateBody>;

const ends = { path: ['scheduled_until'], message: 'must be after scheduled_for' };

export const CreateMaintenanceBody = z
  .strictObject({
    name,
    body: words,
    components: maintained.default([]),
    scheduled_for: instant.describe('When it begins, by itself.'),
    scheduled_until: instant.describe('When it is completed, by itself.'),
  })
  .refine(
    ({ scheduled_for: from, scheduled_until: until }) => Date.parse(from) < Date.parse(until),
    ends,
  )
  .meta({
    id: 'CreateStatusMaintenance',
    examples: [
      {
        name: 'Database upgrade',
        body: 'Sign-in will not work for some minutes.',
        components: ['database'],
        scheduled_for: '2031-05-10T02:00:00Z',
        scheduled_until: '2031-05-10T04:00:00Z',
      },
    ],
  });
export type CreateMaintenanceBody = z.output<typeof CreateMaintenanceBody>;

export const UpdateMaintenanceBody = z
  .strictObject({
    name: name.optional(),
    components: maintained.optional(),
    scheduled_for: instant.optional(),
    scheduled_until: instant.optional(),
  })
  .meta({
    id: 'UpdateStatusMaintenance',
    examples: [{ scheduled_until: '2031-05-10T05:00:00Z' }],
  });
export type UpdateMaintenanceBody = z.output<typeof UpdateMaintenanceBody>;

export const CreateMaintenanceUpdateBody = z
  .strictObject({
    status: z
      .enum(maintenanceStatuses)
      .describe(
        'The maintenance gets it too: `in_progress` begins it now, `completed` ends it now.',
      ),
    body: words,
  })
  .meta({
    id: 'CreateStatusMaintenanceUpdate',
    examples: [{ status: 'completed', body: 'Done earlier than planned.' }],
  });
export type CreateMaintenanceUpdateBody = z.output<typeof CreateMaintenanceUpdateBody>;

export const IncidentListQuery = z.object({
  status: z
    .enum([...incidentStatuses, 'open'])
    .optional()
    .describe('`open`: all that are not resolved.'),
  limit,
  cursor,
});
export const MaintenanceListQuery = z.object({
  status: z
    .enum([...maintenanceStatuses, 'open'])
    .optional()
    .describe('`open`: all that are not completed.'),
  limit,
  cursor,
});

const shared = {
  id: z.uuid(),
  name: z.string(),
  impact: z.enum([...impact.options, 'maintenance']),
  created_at: time,
  updated_at: time,
  resolved_at: time.nullable(),
  components: z.array(
    z.object({
      id: z.string(),
      status: z.enum(componentStatuses).describe('What it is while this goes on.'),
    }),
  ),
};
const update = { id: z.uuid(), body: z.string(), created_at: time, display_at: time };
const incidentStatus = z.enum(incidentStatuses);
const maintenanceStatus = z.enum(maintenanceStatuses);

export const IncidentView = z
  .object({
    ...shared,
    status: incidentStatus,
    source: z
      .enum(['admin', 'downtime'])
      .describe('`downtime`: the service noted at its start that it had not been running.'),
    incident_updates: z
      .array(z.object({ ...update, status: incidentStatus }))
      .describe('Newest first.'),
  })
  .meta({
    id: 'AdminStatusIncident',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        name: 'Slow figures',
        impact: 'minor',
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T09:30:00.000Z',
        resolved_at: null,
        components: [{ id: 'analytics', status: 'degraded_performance' }],
        status: 'investigating',
        source: 'admin',
        incident_updates: [
          {
            id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
            body: 'We are looking into slow figures.',
            created_at: '2026-05-04T09:30:00.000Z',
            display_at: '2026-05-04T09:30:00.000Z',
            status: 'investigating',
          },
        ],
      },
    ],
  });
export const MaintenanceView = z
  .object({
    ...shared,
    status: maintenanceStatus,
    scheduled_for: time,
    scheduled_until: time,
    incident_updates: z
      .array(z.object({ ...update, status: maintenanceStatus }))
      .describe('Newest first.'),
  })
  .meta({
    id: 'AdminStatusMaintenance',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        name: 'Database upgrade',
        impact: 'maintenance',
        created_at: '2026-05-04T09:30:00.000Z',
        updated_at: '2026-05-04T09:30:00.000Z',
        resolved_at: null,
        components: [{ id: 'database', status: 'under_maintenance' }],
        status: 'scheduled',
        scheduled_for: '2031-05-10T02:00:00.000Z',
        scheduled_until: '2031-05-10T04:00:00.000Z',
        incident_updates: [
          {
            id: '01987c1d-0b3e-7a66-b8d1-2e9f4c7a5031',
            body: 'Sign-in will not work for some minutes.',
            created_at: '2026-05-04T09:30:00.000Z',
            display_at: '2026-05-04T09:30:00.000Z',
            status: 'scheduled',
          },
        ],
      },
    ],
  });
export const IncidentPage = z
  .object({ data: z.array(IncidentView).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'AdminStatusIncidentPage' });
export const MaintenancePage = z
  .object({ data: z.array(MaintenanceView).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'AdminStatusMaintenancePage' });
export const SubscriberListQuery = z.object({
  email: z
    .string()
    .trim()
    .max(320)
    .optional()
    .describe('Only this address.')
    .meta({ examples: ['ada@example.com'] }),
  limit,
  cursor,
});
export const SubscriberPage = z
  .object({
    data: z
      .array(
        z.object({
          id: z.uuid(),
          email: z.string().meta({ examples: ['ada@example.com'] }),
          created_at: time,
          confirmed_at: time
            .nullable()
            .describe(
              'Null until the link in the first message was followed: nothing else is sent before.',
            ),
        }),
      )
      .describe('Newest first.'),
    next_cursor: NextCursor,
    total: z.int().describe('Confirmed ones, all in all.'),
  })
  .meta({ id: 'StatusSubscriberPage' });
export const DeletedView = z.object({ deleted: z.literal(true), id: z.string() }).meta({
  id: 'DeletedStatusRecord',
  examples: [{ deleted: true, id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58' }],
});
