import { Readable } from 'node:stream';
import { exportLimit } from '../../rate-limits.ts';
import { asAttachment } from '../../request-context.ts';
import { page } from '../../routes.pages.ts';
import { exportEvents, exportFormats, readFigures } from '../figures.ts';
import { AnalyticsPageQuery } from '../page-query.ts';
import { readView } from '../requested-site.ts';
import type { ViewParams } from '../view-params.ts';
import { maxRows } from './breakdown-page.tsx';
import { exportQuestion } from './export-menu.tsx';
import { figuresCsv } from './figures-csv.ts';

const formatOf = ({ format }: AnalyticsPageQuery) =>
  exportFormats.find((each) => each === format) ?? 'csv';

/** The name of a file, by its site and period: `shop.example-30d-2026-11-29-events.csv`. */
function fileName(
  { site, period, from = '', to = '' }: ViewParams,
  now: number,
  ending: string,
): string {
  const day = new Date(now).toISOString().slice(0, 10);
  const dates = period === 'custom' ? [from.slice(0, 10), to.slice(0, 10)] : [period, day];
  return [site.replace(/[^\w.-]+/g, '_'), ...dates, ending].filter((part) => part !== '').join('-');
}

/** The figures and the events of a view as files. */
export const filePages = [
  page({
    id: 'console.analytics_figures',
    path: '/api/svc/console/analytics/figures',
    summary: 'Console: export the figures of a view',
    query: AnalyticsPageQuery,
    async show(context, query, { requester: by, reply }) {
      const address = readView(context, query, query.site_id ?? '');
      const now = context.clock.now();
      const { view } = await readFigures(context, address, { now, by, limit: maxRows });
      if (query.format === 'csv')
        return asAttachment(reply, fileName(address, now, 'figures.csv'))
          .type('text/csv; charset=utf-8')
          .send(figuresCsv(view));
      return asAttachment(reply, fileName(address, now, 'figures.json'))
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
      const format = formatOf(query);
      const address = readView(context, query, query.site_id ?? '');
      const now = context.clock.now();
      const { type, parts } = await exportEvents(context, address, { format, now, by });
      return asAttachment(reply, fileName(address, now, `events.${format}`))
        .type(type)
        .send(Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 }));
    },
  }),
  page({
    id: 'console.analytics_export_question',
    path: '/api/svc/console/analytics/export/confirm',
    summary: 'Console: ask before many events are exported',
    query: AnalyticsPageQuery,
    async show(context, query, { requester: by }) {
      const address = readView(context, query, query.site_id ?? '');
      const { view } = await readFigures(
        context,
        { ...address, compare: undefined, goal: undefined },
        { now: context.clock.now(), by, limit: 1 },
      );
      return exportQuestion(address, view, formatOf(query));
    },
  }),
];
