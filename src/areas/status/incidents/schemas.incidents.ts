import { z } from 'zod';
import { componentStatuses, incidentStatuses } from '../model.ts';
import { NextCursor } from '../../../platform/validation/paging-schemas.ts';
import { name, pageQuery, time, updateText } from '../schemas.fields.ts';

const impact = z.enum(['none', 'minor', 'major', 'critical']);
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
  .describe('Affected components, and the status each has until the incident is resolved.');
const openStatuses = ['investigating', 'identified', 'monitoring'] as const;

export const CreateIncidentBody = z
  .strictObject({
    name,
    status: z.enum(openStatuses).default('investigating'),
    impact: impact.optional().describe('Default: matches the worst status in `components`.'),
    body: updateText,
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
        'New status of the incident. `resolved` ends it; `postmortem` can follow. Any ' +
          'other status reopens a resolved incident, and its affected components count as ' +
          'affected again.',
      ),
    body: updateText,
    components: affected
      .optional()
      .describe('Replaces the affected components. Default: unchanged.'),
  })
  .meta({
    id: 'CreateStatusIncidentUpdate',
    examples: [
      { status: 'resolved', body: 'A slow query was the cause. Answers are quick again.' },
    ],
  });
export type CreateIncidentUpdateBody = z.output<typeof CreateIncidentUpdateBody>;

export const IncidentListQuery = z.strictObject({
  status: z
    .enum([...incidentStatuses, 'open'])
    .optional()
    .describe('`open`: unresolved incidents only.'),
  ...pageQuery,
});

/** Fields that incidents and maintenance share. */
export const incidentFields = {
  id: z.uuid(),
  name: z.string(),
  impact: z.enum([...impact.options, 'maintenance']),
  created_at: time,
  updated_at: time,
  resolved_at: time.nullable(),
  components: z.array(
    z.object({
      id: z.string(),
      status: z.enum(componentStatuses).describe('Status of the component during the incident.'),
    }),
  ),
};
export const updateFields = { id: z.uuid(), body: z.string(), created_at: time, display_at: time };
export const IncidentView = z
  .object({
    ...incidentFields,
    status: z.enum(incidentStatuses),
    source: z
      .enum(['admin', 'downtime'])
      .describe('`downtime`: opened by the service when it restarted after its own outage.'),
    incident_updates: z
      .array(z.object({ ...updateFields, status: z.enum(incidentStatuses) }))
      .describe('Newest first.'),
  })
  .meta({
    id: 'AdminStatusIncident',
    description: 'The incident, with its updates.',
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
export const IncidentPage = z
  .object({ data: z.array(IncidentView).describe('Newest first.'), next_cursor: NextCursor })
  .meta({ id: 'AdminStatusIncidentList', description: 'A page of incidents, newest first.' });
