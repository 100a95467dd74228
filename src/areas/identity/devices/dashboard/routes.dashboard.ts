import { disconnectSignal } from '../../../../platform/http/requests/requester.ts';
import type { ZodApp } from '../../../../platform/http/zod-app.ts';
import { type DeviceAdminRoutesOptions, rateLimits, tags } from '../routes.options.ts';
import { DashboardView, DaysQuery, SeriesView } from './schemas.ts';

const config = rateLimits.admin;
const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const;

export function getDashboard(
  app: ZodApp,
  { dashboard, operationId }: DeviceAdminRoutesOptions,
): void {
  app.get(
    '/dashboard',
    {
      config,
      schema: {
        operationId: operationId('blackops.dashboard'),
        summary: 'Get the device dashboard',
        description: 'Pending requests, recent decisions and risk events.',
        tags,
        querystring: DaysQuery,
        response: { 200: DashboardView },
      },
    },
    (request, reply) => dashboard.overview(request.query.days, disconnectSignal(reply)),
  );
}

/** Registered for every method: the public interface promises so. */
export function getAnalytics(
  app: ZodApp,
  { dashboard, operationId }: DeviceAdminRoutesOptions,
): void {
  for (const method of methods) {
    app.route({
      method,
      url: '/analytics',
      config,
      schema: {
        operationId: operationId(`blackops.analytics_${method.toLowerCase()}`),
        summary: 'Get device analytics',
        description: 'Counts by day. All methods return the same data and change nothing.',
        tags,
        querystring: DaysQuery,
        response: { 200: SeriesView },
      },
      handler: async (request, reply) => {
        if (method === 'OPTIONS') void reply.header('allow', [...methods, 'HEAD'].join(', '));
        const { days } = DaysQuery.parse(request.query);
        const series = await dashboard.series(days, disconnectSignal(reply));
        return { method: request.method, ...series };
      },
    });
  }
}
