import { z } from 'zod';
import { auditActions } from '../../../../areas/audit/actions.ts';
import { AuditListQuery } from '../../../../areas/audit/schemas.ts';
import { dayMs } from '../../../../lib/durations.ts';
import { requestErrors } from '../../../../platform/errors/errors.ts';
import { withQuery } from '../../components/navigation.tsx';
import { parseForm } from '../../forms.ts';
import { exportFormat, sendListExport } from '../../list-export.tsx';
import { pageLimit } from '../../rate-limits.ts';
import type { ConsoleRoutesOptions } from '../../request-context.ts';
import { form } from '../../routes.forms.ts';
import { page } from '../../routes.pages.ts';
import { cursor, emptyable, find } from '../../schemas.ts';
import { nameOf } from '../labels.tsx';
import { type AuditFilters, auditPath } from './audit-filters.tsx';
import { auditColumns, auditPage } from './audit-page.tsx';
import { entryPage, sharedOf } from './entry-page.tsx';
import { readSubjects } from './subjects.ts';

const pageSize = 25;
const exportPageSize = 100;
const maxCandidates = 8;
/** How many entries before and after one are shown with it. */
const nearCount = 3;

const id = emptyable(z.string().trim().max(256));
const minute = emptyable(
  z
    .string()
    .regex(
      /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?)?$/,
      'must be like 2026-05-04 or 2026-05-04T09:30',
    )
    .meta({ examples: ['2026-05-04'] }),
);
const Filters = z.object({
  person: emptyable(z.uuid()).describe('A user who did it, or whom it was done to.'),
  action: emptyable(z.string().max(64))
    .describe('One action, or a group such as `session.*`.')
    .meta({ example: 'session.created' }),
  actor_id: id.describe('Actor.'),
  target_id: id.describe('Target: the id of the affected object.'),
  outcome: emptyable(z.enum(['success', 'failure', 'denied'])),
  since: minute.describe('First day or minute (UTC), inclusive.'),
  until: minute.describe('Last day, inclusive, or end of the range, exclusive (UTC).'),
});
const AuditQuery = Filters.extend({ find, cursor, format: exportFormat });

/** What the form sends: empty fields are left out. The page checks the values. */
const text = z.string().trim().max(256).optional();
const FindForm = z.object({
  who: text,
  person: z.uuid().optional(),
  /** The name of `person`, to see whether another one was typed. */
  person_name: text,
  action: text,
  actor_id: text,
  target_id: text,
  outcome: text,
  since: text,
  until: text,
});

const isDay = (text: string): boolean => text.length === 10;

/** Converts a day or a minute to an instant in UTC (RFC 3339); the end of a day for `until`. */
function toInstant(text: string | undefined, edge: 'since' | 'until'): string | undefined {
  if (text === undefined) return undefined;
  if (!isDay(text)) return `${text.length === 16 ? `${text}:00` : text}Z`;
  const start = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(start)) return text;
  return new Date(edge === 'until' ? start + dayMs : start).toISOString();
}

/** Returns the query of the API's call. Throws `console.form_invalid`, e.g. for unknown actions. */
const toListQuery = ({ since, until, person: _person, ...filters }: AuditFilters, page: object) =>
  parseForm(AuditListQuery, {
    ...filters,
    since: toInstant(since, 'since'),
    until: toInstant(until, 'until'),
    ...page,
  });

/** The name of the person in the filter; else the text that was searched for. */
async function personName(
  { users }: ConsoleRoutesOptions,
  person: string | undefined,
  text: string | undefined,
): Promise<string> {
  if (text !== undefined || person === undefined) return text ?? '';
  const [user] = await users.findAll([person]);
  return user === undefined ? person : nameOf(user);
}

/** The audit log, with its filters in the URL, and its entries. */
export const auditRoutes = [
  page({
    id: 'console.audit',
    path: '/api/svc/console/audit',
    summary: 'Console: audit log',
    description:
      'Audit events, newest first, with filters, or an export of at most 10,000. For ' +
      'admins on an approved device.',
    query: AuditQuery,
    errors: ['console.search_unreadable'],
    async show(context, { format, cursor: after, find: sealed, ...filters }, { reply, signal }) {
      const { person } = filters;
      const personIds = person === undefined ? undefined : [person];
      const list = async (limit: number, from: string | undefined) =>
        context.audit.list({ ...toListQuery(filters, { limit, cursor: from }), personIds }, signal);
      if (format !== undefined)
        return sendListExport(reply, {
          name: 'audit',
          format,
          columns: auditColumns,
          readPage: (from) => list(exportPageSize, from),
        });
      const text = context.searchTerms.open(sealed);
      const [{ data, next_cursor: next }, name, candidates] = await Promise.all([
        list(pageSize, after),
        personName(context, person, text),
        text === undefined
          ? undefined
          : context.users.list({ text, limit: maxCandidates }, signal).then((found) => found.data),
      ]);
      const subjects = await readSubjects(context, data);
      const now = context.clock.now();
      const shown = { now, entries: data, next, filters, cursor: after, subjects, candidates };
      return auditPage({ ...shown, person: name, actions: auditActions });
    },
  }),
  form({
    id: 'console.find_audit',
    path: '/api/svc/console/audit/find',
    summary: 'Form: filter the audit log',
    limit: pageLimit,
    body: FindForm,
    async run({ users, searchTerms }, { who, person, person_name: name, ...filters }, { signal }) {
      if (who === undefined || who === '') return filters;
      if (person !== undefined && who === name) return { ...filters, person };
      const { data } = await users.list({ text: who, limit: 2 }, signal);
      const [only] = data;
      return data.length === 1 && only !== undefined
        ? { ...filters, person: only.id }
        : { ...filters, find: searchTerms.seal(who) };
    },
    to: (_input, filters) => withQuery(auditPath, filters),
  }),
  page({
    id: 'console.audit_entry',
    path: '/api/svc/console/audit/:id',
    summary: 'Console: an entry of the audit log',
    params: z.object({ id: z.uuid().toLowerCase() }),
    async show(context, { id: entryId }) {
      const entry = await context.audit.find(entryId);
      if (entry === undefined) throw requestErrors.not_found();
      const meanings: Readonly<Partial<Record<string, string>>> = auditActions;
      const shared = sharedOf(entry, await readSubjects(context, [entry]));
      const around =
        shared === undefined
          ? []
          : await context.audit.around(entryId, { ...shared.filter, count: nearCount });
      return entryPage({
        entry,
        subjects: await readSubjects(context, [entry, ...around]),
        meaning: meanings[entry.action],
        // Older entries have the network in place of the address.
        country: context.geoip.country(entry.address?.replace(/\/.*$/, '') ?? ''),
        around,
        now: context.clock.now(),
      });
    },
  }),
];
