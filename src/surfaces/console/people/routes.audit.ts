import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { leadsOn, sendPage } from '../../../platform/ui/page-scope.ts';
import { disconnectSignal } from '../../../platform/http/requester.ts';
import type { AuditEventView, AuditPage } from '../../../areas/audit/schemas.ts';
import { auditColumns, type AuditFilters, auditPage } from './audit-page.ts';
import type { Names } from './audit-rows.ts';
import { exportFormat, exportList } from '../list-export.ts';
import { looks } from '../limits.ts';
import { asFile } from '../analytics/routes.analytics.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { HtmlPage, orNone } from '../schemas.ts';

/** Who did what. */
export interface AuditSource {
  /** Throws `console.form_invalid` for filters that there are none of. */
  list: (
    filters: AuditFilters,
    page: { limit: number; cursor: string | undefined },
    signal: AbortSignal,
  ) => Promise<AuditPage>;
  namesIn: (entries: readonly AuditEventView[], filters: AuditFilters) => Promise<Names>;
  /** All actions and what they mean. */
  actions: Readonly<Record<string, string>>;
}

const perPage = 25;
const perExport = 100;

const id = orNone(z.string().trim().max(256));
const instant = orNone(
  z
    .string()
    .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?$/, 'must be like 2026-05-04T09:30')
    .meta({ examples: ['2026-05-04T09:30'] }),
);
const AuditParams = z.object({
  action: orNone(z.string().max(64))
    .describe('One action, or a group such as `session.*`.')
    .meta({ example: 'session.created' }),
  actor_id: id.describe('Who did it.'),
  target_id: id.describe('What it was done to.'),
  outcome: orNone(z.enum(['success', 'failure', 'denied'])),
  since: instant.describe('First minute, UTC.'),
  until: instant.describe('The minute before which it ends, UTC.'),
  cursor: z.uuid().optional().describe('Where the page before ended.'),
  format: exportFormat,
});

/** The audit log, with filters in its address. */
export const auditDeskRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { auditDesk: AuditSource }
> = async (app, { consoleLayout, viewerOf, auditDesk }) => {
  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.audit',
        summary: 'The console: audit log',
        description:
          'Who did what, newest first, with filters; or a file of at most 10,000 entries. For admins on a cleared device.',
        tags: ['pages'],
        querystring: AuditParams,
        response: {
          200: HtmlPage,
          ...leadsOn('Nobody is signed in, or the device is not cleared: to where that is solved.'),
        },
      },
    },
    async (request, reply) => {
      const { format, cursor, ...filters } = request.query;
      const gone = disconnectSignal(reply);
      if (format !== undefined) {
        const { name, type, body } = await exportList<AuditEventView>({
          name: 'audit',
          format,
          columns: auditColumns,
          ask: (after) => auditDesk.list(filters, { limit: perExport, cursor: after }, gone),
        });
        return asFile(reply, name).type(type).send(body);
      }
      const { data, next_cursor: next } = await auditDesk.list(
        filters,
        { limit: perPage, cursor },
        gone,
      );
      const names = await auditDesk.namesIn(data, filters);
      return sendPage(
        reply,
        consoleLayout(
          auditPage({ entries: data, next, filters, cursor, names, actions: auditDesk.actions }),
          viewerOf(request),
        ),
      );
    },
  );
};
