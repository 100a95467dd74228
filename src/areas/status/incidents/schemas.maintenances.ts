import { z } from 'zod';
import { maintenanceStatuses } from '../model.ts';
import { NextCursor } from '../../../platform/validation/paging-schemas.ts';
import { name, pageQuery, statusTime, time, updateText } from '../schemas.fields.ts';
import { incidentFields, updateFields } from './schemas.incidents.ts';

const maintained = z
  .array(z.string().min(1).max(64))
  .max(100)
  .refine((list) => new Set(list).size === list.length, 'must name each component once')
  .describe('Ids of the components under maintenance.');

const ends = { path: ['scheduled_until'], message: 'must be after scheduled_for' };

export const CreateMaintenanceBody = z
  .strictObject({
    name,
    body: updateText,
    components: maintained.default([]),
    scheduled_for: statusTime.describe('Start time. The maintenance starts automatically.'),
    scheduled_until: statusTime.describe(
      'Scheduled end. The maintenance is completed automatically at this time.',
    ),
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
    scheduled_for: statusTime.optional(),
    scheduled_until: statusTime.optional(),
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
        'New status of the maintenance: `in_progress` starts it now, `completed` ends it now.',
      ),
    body: updateText,
  })
  .meta({
    id: 'CreateStatusMaintenanceUpdate',
    examples: [{ status: 'completed', body: 'Done earlier than planned.' }],
  });
export type CreateMaintenanceUpdateBody = z.output<typeof CreateMaintenanceUpdateBody>;

export const MaintenanceListQuery = z.strictObject({
  status: z
    .enum([...maintenanceStatuses, 'open'])
    .optional()
    .describe('`open`: planned and running maintenance only.'),
  ...pageQuery,
});

export const MaintenanceView = z
  .object({
    ...incidentFields,
    status: z.enum(maintenanceStatuses),
    scheduled_for: time,
    scheduled_until: time,
    incident_updates: z
      .array(z.object({ ...updateFields, status: z.enum(maintenanceStatuses) }))
      .describe('Newest first.'),
  })
  .meta({
    id: 'AdminStatusMaintenance',
    description: 'The maintenance window, with its updates.',
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
export const MaintenancePage = z
  .object({ data: z.array(MaintenanceView).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'AdminStatusMaintenanceList', description: 'A page of maintenance windows.' });
