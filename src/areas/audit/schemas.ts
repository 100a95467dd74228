import { z } from 'zod';
import { auditActionGroups, auditActionNames, auditActorKinds, auditOutcomes } from './actions.ts';
import { instant } from '../../platform/validation/instants.ts';
import { NextCursor } from '../../platform/validation/paging-schemas.ts';

const id = z.string().min(1).max(256);

export const AuditListQuery = z.strictObject({
  action: z
    .enum([...auditActionNames, ...auditActionGroups])
    .optional()
    .describe('One action, or a group such as `session.*`.'),
  actor_id: id
    .optional()
    .describe('Actor: the id of a user or an API key.')
    .meta({ examples: ['01985f6e-3a10-7c41-9d52-5b8e2f7a1c04'] }),
  target_id: id
    .optional()
    .describe('Target: the id of the affected object.')
    .meta({ examples: ['01986a2b-77c4-7e19-8f03-6d4b9a1e2c58'] }),
  outcome: z.enum(auditOutcomes).optional().describe('Outcome of the action.'),
  since: instant()
    .optional()
    .describe('Start time (RFC 3339), inclusive, with millisecond precision.')
    .meta({ examples: ['2026-05-01T00:00:00Z'] }),
  until: instant()
    .optional()
    .describe('End time (RFC 3339), exclusive.')
    .meta({ examples: ['2026-05-05T00:00:00Z'] }),
  limit: z.coerce.number().int().min(1).max(100).default(50).describe('Maximum events per page.'),
  cursor: z.uuid().optional().describe('The `next_cursor` from the previous page.'),
});
export type AuditListQuery = z.output<typeof AuditListQuery>;

export const AuditEventView = z
  .object({
    id: z.uuid(),
    at: z.iso.datetime().describe('Time of the event.'),
    action: z.string().describe('The action, such as `session.created`.'),
    outcome: z.enum(auditOutcomes),
    reason: z
      .string()
      .nullable()
      .describe('Reason for a failure or denial: a code such as `otp.invalid`.'),
    actor: z.object({
      kind: z.enum(auditActorKinds),
      id: z.string().nullable().describe('Null if unknown.'),
    }),
    target: z
      .object({ kind: z.string(), id: z.string() })
      .nullable()
      .describe('The object that the action affected.'),
    address: z
      .string()
      .nullable()
      .describe(
        'IP address of the request. Shortened after 30 days to the network: /24 for ' +
          'IPv4, /48 for IPv6.',
      ),
    request_id: z.string().nullable(),
    details: z.record(z.string(), z.unknown()).describe('Details of the action.'),
  })
  .meta({
    id: 'AuditEvent',
    description: 'An audit event.',
    examples: [
      {
        id: '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58',
        at: '2026-05-04T09:30:00.000Z',
        action: 'session.created',
        outcome: 'success',
        reason: null,
        actor: { kind: 'user', id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04' },
        target: { kind: 'user', id: '01985f6e-3a10-7c41-9d52-5b8e2f7a1c04' },
        address: '203.0.113.7',
        request_id: '0f4c1a52e1b76d38',
        details: { amr: ['otp'] },
      },
    ],
  });
export type AuditEventView = z.output<typeof AuditEventView>;

export const AuditPage = z
  .object({
    data: z.array(AuditEventView).describe('Newest first.'),
    next_cursor: NextCursor,
  })
  .meta({ id: 'AuditEventList', description: 'A page of audit events, newest first.' });
export type AuditPage = z.output<typeof AuditPage>;
