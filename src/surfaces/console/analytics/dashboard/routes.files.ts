import { Readable } from 'node:stream';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { requesterOf } from '../../../../platform/http/requests/requester.ts';
import { exportLimit, pageLimit } from '../../rate-limits.ts';
import {
  asAttachment,
  type ConsoleRoutesOptions,
  type ConsoleScope,
} from '../../request-context.ts';
import { figuresCsv } from './figures-csv.ts';
import { maxRows } from './breakdown-page.tsx';
import { AnalyticsPageQuery, readParams } from '../page-query.ts';
import { exportEvents, exportFormats, readFigures } from '../figures.ts';

const tags = ['pages'];

function figuresRoute(app: ConsoleScope, { services }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/analytics/figures',
    {
      config: pageLimit,
      schema: {
        operationId: 'console.analytics_figures',
        summary: 'Console: export the figures of a view',
        tags,
        hide: true,
        querystring: AnalyticsPageQuery,
      },
    },
    async (request, reply) => {
      const address = readParams(request.query, request.query.site_id ?? '');
      const by = requesterOf(request, reply);
      const { view } = await readFigures(services, address, by, maxRows);
      if (request.query.format === 'csv')
        return asAttachment(reply, 'figures.csv')
          .type('text/csv; charset=utf-8')
          .send(figuresCsv(view));
      return asAttachment(reply, 'figures.json')
        .type('application/json')
        .send(JSON.stringify(view, undefined, 2));
    },
  );
}

function eventsRoute(app: ConsoleScope, { clock, services }: ConsoleRoutesOptions): void {
  app.get(
    '/api/svc/console/analytics/export',
    {
      config: exportLimit,
      schema: {
        operationId: 'console.analytics_export',
        summary: 'Console: export the events of a view',
        tags,
        hide: true,
        querystring: AnalyticsPageQuery,
      },
    },
    async (request, reply) => {
      const { format: name, site_id: site = '' } = request.query;
      const format = exportFormats.find((each) => each === name) ?? 'csv';
      const { type, parts } = await exportEvents(services, readParams(request.query, site), {
        format,
        now: clock.now(),
        by: requesterOf(request, reply),
      });
      return asAttachment(reply, `events.${format}`)
        .type(type)
        .send(Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 }));
    },
  );
}

/** The figures and the events of a view as files. */
export const fileRoutes: FastifyPluginAsyncZod<ConsoleRoutesOptions> = async (app, options) => {
  figuresRoute(app, options);
  eventsRoute(app, options);
};
