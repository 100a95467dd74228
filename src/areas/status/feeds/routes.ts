import type { BrandReader } from '../../../platform/brand/brand.ts';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { Clock } from '../../../lib/clock.ts';
import { requestErrors } from '../../../platform/errors/errors.ts';
import { sendCacheable } from '../../../platform/http/etag.ts';
import { feedResponse, feedKinds, feedNames, feedTypes } from '../../../platform/ui/feeds.ts';
import { allowCrossOrigin } from '../../../platform/http/cross-origin.ts';
import { badgeOf, badgeSvg } from './badges.ts';
import { maintenanceCalendar } from './calendar.ts';
import { renderFeed } from './feeds.tsx';
import type { StatusState } from '../model.ts';
import { StatusSummary } from '../schemas.ts';

export interface StatusFeedRoutesOptions {
  status: { state: () => StatusState; summary: () => StatusSummary };
  clock: Clock;
  brand: BrandReader;
  /** The public origin of the service. */
  baseOrigin: string;
}

type Routes = Parameters<FastifyPluginAsyncZod<StatusFeedRoutesOptions>>[0];

const tags = ['status'];
const cacheControl = 'public, max-age=30, stale-while-revalidate=60';
const notChanged = z.undefined().describe('Not modified.');
const textAs = (type: string) => ({
  200: { content: { [type]: { schema: z.string() } } },
  304: notChanged,
});

const BadgeParams = z.object({
  component: z
    .string()
    .describe('Id of a component, or `overall`.')
    .meta({ examples: ['analytics'] }),
});
const BadgeQuery = z.object({
  metric: z.enum(['status', 'uptime']).default('status'),
  days: z
    .enum(['1', '7', '30', '90'])
    .default('90')
    .describe('Number of days covered by the uptime figure.'),
});
const BadgeView = z
  .object({
    schemaVersion: z.literal(1),
    label: z.string(),
    message: z.string(),
    color: z.string(),
  })
  .meta({
    id: 'StatusBadge',
    description: 'The badge as JSON for the Shields.io endpoint badge.',
    examples: [{ schemaVersion: 1, label: 'API', message: 'operational', color: 'brightgreen' }],
  });

function feeds(app: Routes, { status, brand, baseOrigin }: StatusFeedRoutesOptions): void {
  for (const kind of feedKinds) {
    app.get(
      `/status/feed.${kind}`,
      {
        schema: {
          operationId: `status.feed_${kind}`,
          summary: `Get incidents as ${feedNames[kind]}`,
          description:
            'Incidents and maintenance, most recently changed first. Updated entries ' +
            'keep their ids.',
          tags,
          returns: `The latest incidents and maintenance, as ${feedNames[kind]}.`,
          response: { 200: feedResponse(kind), 304: notChanged },
        },
      },
      async (request, reply) =>
        sendCacheable(request, reply, {
          content: await renderFeed(kind, status.state(), {
            appName: brand().name,
            baseUrl: baseOrigin,
          }),
          type: feedTypes[kind],
          cacheControl,
        }),
    );
  }
}

const Calendar = z.string().meta({
  examples: ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\n…\r\nEND:VCALENDAR\r\n'],
});

function calendar(app: Routes, { status, brand, baseOrigin }: StatusFeedRoutesOptions): void {
  app.get(
    '/status/maintenance.ics',
    {
      schema: {
        operationId: 'status.maintenance_calendar',
        summary: 'Get maintenance as a calendar',
        description:
          'Scheduled maintenance, and that of the last 90 days, to subscribe to in a calendar ' +
          '(RFC 5545). Entries keep their ids when they change.',
        tags,
        returns: 'The calendar.',
        response: {
          200: { content: { 'text/calendar': { schema: Calendar } } },
          304: notChanged,
        },
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: maintenanceCalendar(status.state(), {
          appName: brand().name,
          baseUrl: baseOrigin,
        }),
        type: 'text/calendar; charset=utf-8',
        cacheControl,
      }),
  );
}

function badges(app: Routes, { status, clock }: StatusFeedRoutesOptions): void {
  const badge = (component: string, { metric, days }: z.output<typeof BadgeQuery>) => {
    const found = badgeOf(status.state(), component, {
      metric,
      days: Number(days),
      now: clock.now(),
    });
    if (found === undefined) throw requestErrors.not_found({ detail: 'No component has this id.' });
    return found;
  };
  const minute = 'public, max-age=60';

  app.get(
    '/status/badge/:component.svg',
    {
      schema: {
        operationId: 'status.badge',
        summary: 'Get the badge for a component',
        returns: 'The badge, as SVG.',
        description: 'The status or uptime of a component, as an image to embed.',
        tags,
        params: BadgeParams,
        querystring: BadgeQuery,
        errors: ['request.not_found'],
        response: textAs('image/svg+xml'),
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: await badgeSvg(badge(request.params.component, request.query)),
        type: 'image/svg+xml; charset=utf-8',
        cacheControl: minute,
      }),
  );

  app.get(
    '/status/badge/:component.json',
    {
      schema: {
        operationId: 'status.badge_endpoint',
        summary: 'Get the badge for a component as JSON',
        description: 'For Shields.io endpoint badges.',
        tags,
        params: BadgeParams,
        querystring: BadgeQuery,
        errors: ['request.not_found'],
        response: { 200: BadgeView, 304: notChanged },
      },
    },
    async (request, reply) => {
      void reply.header('cache-control', minute);
      return badge(request.params.component, request.query);
    },
  );
}

/** Machine-readable status: feeds, badges and a summary, for clients of any origin. */
export const statusFeedRoutes: FastifyPluginAsyncZod<StatusFeedRoutesOptions> = async (
  app,
  options,
) => {
  allowCrossOrigin(app);
  feeds(app, options);
  calendar(app, options);
  badges(app, options);
  app.get(
    '/status/summary.json',
    {
      schema: {
        operationId: 'status.summary',
        summary: 'Get the status of the service',
        description: 'Same as `/api/status`, at the path that Statuspage uses.',
        tags,
        response: {
          200: { content: { 'application/json': { schema: StatusSummary } } },
          304: notChanged,
        },
      },
    },
    async (request, reply) =>
      sendCacheable(request, reply, {
        content: JSON.stringify(options.status.summary()),
        type: 'application/json; charset=utf-8',
        cacheControl,
      }),
  );
};
