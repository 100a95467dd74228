import { Readable } from 'node:stream';
import { exportLimit } from '../../rate-limits.ts';
import { asAttachment } from '../../request-context.ts';
import { page } from '../../routes.pages.ts';
import { exportEvents, exportFormats, readFigures } from '../figures.ts';
import { AnalyticsPageQuery, readParams } from '../page-query.ts';
import { maxRows } from './breakdown-page.tsx';
import { figuresCsv } from './figures-csv.ts';

/** The figures and the events of a view as files. */
export const filePages = [
  page({
    id: 'console.analytics_figures',
    path: '/api/svc/console/analytics/figures',
    summary: 'Console: export the figures of a view',
    query: AnalyticsPageQuery,
    async show(context, query, { requester, reply }) {
      const address = readParams(query, query.site_id ?? '');
      const { view } = await readFigures(context, address, requester, maxRows);
      if (query.format === 'csv')
        return asAttachment(reply, 'figures.csv')
          .type('text/csv; charset=utf-8')
          .send(figuresCsv(view));
      return asAttachment(reply, 'figures.json')
        .type('application/json')
        .send(JSON.stringify(view, undefined, 2));
    },
  }),
  page({
    id: 'console.analytics_export',
    path: '/api/svc/console/analytics/export',
    summary: 'Console: export the events of a view',
    query: AnalyticsPageQuery,
    limit: exportLimit,
    async show(context, query, { requester: by, reply }) {
      const format = exportFormats.find((each) => each === query.format) ?? 'csv';
      const address = readParams(query, query.site_id ?? '');
      const now = context.clock.now();
      const { type, parts } = await exportEvents(context, address, { format, now, by });
      return asAttachment(reply, `events.${format}`)
        .type(type)
        .send(Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 }));
    },
  }),
];
