import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { sendPage } from '../../../platform/ui/page-scope.ts';
import { type Requester, requesterOf } from '../../../platform/http/requester.ts';
import { addressOf, type AnalyticsAddress } from './analytics-address.ts';
import { figuresCsv } from './analytics-csv.ts';
import { analyticsListPage, longestList } from './analytics-list-page.ts';
import type { SiteEntry } from './analytics-frame.ts';
import {
  analyticsPage,
  type AnalyticsView,
  type Annotation,
  noSitesPage,
} from './analytics-page.ts';
import {
  AnalyticsListQuery,
  AnalyticsPageQuery,
  plainAddress,
  readAddress,
} from './analytics-query.ts';
import { looks, takes } from '../limits.ts';
import type { ConsoleRoutesOptions } from '../operations/routes.overview.ts';
import { HtmlPage } from '../schemas.ts';

export const rawFormats = ['csv', 'ndjson', 'parquet'] as const;
export type RawFormat = (typeof rawFormats)[number];

/** Where the pages of analytics get their figures from: as the API gives them. */
export interface AnalyticsSource {
  /** Busiest first. */
  sites: (by: Requester) => Promise<readonly SiteEntry[]>;
  /** What is wrong with the question; empty when it can be asked. */
  mistakesOf: (address: AnalyticsAddress) => readonly string[];
  view: (
    address: AnalyticsAddress,
    by: Requester,
    limit?: number,
  ) => Promise<Pick<AnalyticsView, 'view' | 'before'>>;
  annotations: (
    site: string,
    range: { from: string; to: string },
    signal: AbortSignal,
  ) => Promise<readonly Annotation[]>;
  /** The events of a view, in parts of a file of this media type. */
  events: (
    address: AnalyticsAddress,
    format: RawFormat,
    by: Requester,
  ) => Promise<{ type: string; parts: AsyncIterable<Uint8Array> }>;
  /** The public origin, for snippets. */
  origin: string;
}

const isRawFormat = (name: string | undefined): name is RawFormat =>
  rawFormats.some((each) => each === name);

/** Browsers save what is sent, under this name. */
export const asFile = (reply: FastifyReply, name: string): FastifyReply =>
  reply.header('content-disposition', `attachment; filename="${name}"`);

/** The site that is asked for, or the busiest one; undefined while there is none. */
export async function askedSite(
  source: Pick<AnalyticsSource, 'sites'>,
  query: AnalyticsPageQuery,
  by: Requester,
): Promise<{ address: AnalyticsAddress; sites: readonly SiteEntry[] } | undefined> {
  const sites = await source.sites(by);
  const site = query.site_id ?? sites[0]?.site_id;
  return site === undefined ? undefined : { address: readAddress(query, site), sites };
}

/** The dashboard of a site, and its figures and events as files. */
export const analyticsPageRoutes: FastifyPluginAsyncZod<
  ConsoleRoutesOptions & { analytics: AnalyticsSource }
> = async (app, { consoleLayout, viewerOf, analytics }) => {
  app.get(
    '/',
    {
      config: looks,
      schema: {
        operationId: 'console.analytics',
        summary: 'Console: figures of a site',
        tags: ['pages'],
        hide: true,
        querystring: AnalyticsPageQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const by = requesterOf(request, reply);
      const asked = await askedSite(analytics, request.query, by);
      if (asked === undefined)
        return sendPage(
          reply,
          consoleLayout(noSitesPage(analytics.origin, viewer.isAdmin), viewer),
        );
      const { address, sites } = asked;
      // The form for one more filter leads to the address that has it.
      if (request.query.dimension !== undefined) return reply.redirect(addressOf(address), 303);
      const mistakes = analytics.mistakesOf(address);
      const shown = mistakes.length === 0 ? address : plainAddress(address);
      const { view, before } = await analytics.view(shown, by);
      const annotations = await analytics.annotations(address.site, view.period, by.signal);
      return sendPage(
        reply,
        consoleLayout(
          analyticsPage({ address: shown, sites, view, before, annotations, mistakes }),
          viewer,
        ),
      );
    },
  );

  app.get(
    '/list',
    {
      config: looks,
      schema: {
        operationId: 'console.analytics_list',
        summary: 'Console: all rows of a list',
        tags: ['pages'],
        hide: true,
        querystring: AnalyticsListQuery,
        response: { 200: HtmlPage },
      },
    },
    async (request, reply) => {
      const { list, skip = '', site_id: site } = request.query;
      const address = readAddress(request.query, site ?? '');
      const { view } = await analytics.view(
        { ...address, compare: undefined },
        requesterOf(request, reply),
        longestList,
      );
      const from = /^\d{1,4}$/.test(skip) ? Number(skip) : 0;
      return sendPage(
        reply,
        consoleLayout(
          analyticsListPage({ address, name: list, view, skip: from }),
          viewerOf(request),
        ),
      );
    },
  );

  app.get(
    '/figures',
    {
      config: looks,
      schema: {
        operationId: 'console.analytics_figures',
        summary: 'Console: the figures of a view as a file',
        tags: ['pages'],
        hide: true,
        querystring: AnalyticsPageQuery,
      },
    },
    async (request, reply) => {
      const address = readAddress(request.query, request.query.site_id ?? '');
      const { view } = await analytics.view(address, requesterOf(request, reply), 1000);
      if (request.query.format !== 'csv')
        return asFile(reply, 'figures.json')
          .type('application/json')
          .send(JSON.stringify(view, undefined, 2));
      return asFile(reply, 'figures.csv').type('text/csv; charset=utf-8').send(figuresCsv(view));
    },
  );

  app.get(
    '/export',
    {
      config: takes,
      schema: {
        operationId: 'console.analytics_export',
        summary: 'Console: the events of a view as a file',
        tags: ['pages'],
        hide: true,
        querystring: AnalyticsPageQuery,
      },
    },
    async (request, reply) => {
      const { format: asked, site_id: site } = request.query;
      const format = isRawFormat(asked) ? asked : 'csv';
      const { type, parts } = await analytics.events(
        readAddress(request.query, site ?? ''),
        format,
        requesterOf(request, reply),
      );
      return asFile(reply, `events.${format}`)
        .type(type)
        .send(Readable.from(parts, { objectMode: false, highWaterMark: 256 * 1024 }));
    },
  );
};
