import { z } from 'zod';
import { auditActions } from '../../../../areas/audit/actions.ts';
import { AuditListQuery } from '../../../../areas/audit/schemas.ts';
import { parseForm } from '../../forms.ts';
import { exportFormat, sendListExport } from '../../list-export.tsx';
import { page } from '../../routes.pages.ts';
import { cursor, emptyable } from '../../schemas.ts';
import { auditColumns, type AuditFilters, auditPage } from './audit-page.tsx';
import { readNames, userIdsIn } from '../user-names.ts';

const pageSize = 25;
const exportPageSize = 100;

const id = emptyable(z.string().trim().max(256));
const minute = emptyable(
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, 'must be like 2026-05-04T09:30')
    .meta({ examples: ['2026-05-04T09:30'] }),
);
const AuditQuery = z.object({
  action: emptyable(z.string().max(64))
    .describe('One action, or a group such as `session.*`.')
    .meta({ example: 'session.created' }),
  actor_id: id.describe('Actor.'),
  target_id: id.describe('Target: the id of the affected object.'),
  outcome: emptyable(z.enum(['success', 'failure', 'denied'])),
  since: minute.describe('First minute (UTC), inclusive.'),
  until: minute.describe('End of the range (UTC), exclusive, to the minute.'),
  cursor,
  format: exportFormat,
});

/** Converts a `datetime-local` value to an instant in UTC (RFC 3339). */
const toInstant = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : `${text.length === 16 ? `${text}:00` : text}Z`;

/** Returns the query of the API's call. Throws `console.form_invalid`, e.g. for unknown actions. */
const toListQuery = ({ since, until, ...filters }: AuditFilters, page: object): AuditListQuery =>
  parseForm(AuditListQuery, {
    ...filters,
    since: toInstant(since),
    until: toInstant(until),
    ...page,
  });

/** The audit log, with its filters in the URL. */
export const auditRoute = page({
  id: 'console.audit',
  path: '/api/svc/console/audit',
  summary: 'Console: audit log',
  description:
    'Audit events, newest first, with filters, or an export of at most 10,000. For ' +
    'admins on an approved device.',
  query: AuditQuery,
  async show(context, { format, cursor: after, ...filters }, { reply, signal }) {
    const list = async (limit: number, from: string | undefined) =>
      context.audit.list(toListQuery(filters, { limit, cursor: from }), signal);
    if (format !== undefined)
      return sendListExport(reply, {
        name: 'audit',
        format,
        columns: auditColumns,
        readPage: (from) => list(exportPageSize, from),
      });
    const { data, next_cursor: next } = await list(pageSize, after);
    const { actor_id: actor = '', target_id: target = '' } = filters;
    const names = await readNames(context, [...userIdsIn(data), actor, target]);
    const view = { entries: data, next, filters, cursor: after, names, actions: auditActions };
    return auditPage(view);
  },
});
