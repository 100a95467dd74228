import { operationsOf } from '../../../../platform/operations/operation.ts';
import type { DevicesContext } from '../compose.ts';
import { deviceLimits } from '../limits.ts';
import { DashboardView, DaysQuery, SeriesView } from './schemas.ts';

const operation = operationsOf<DevicesContext>({
  scope: 'admin',
  tag: 'blackops',
  limit: deviceLimits.admin,
  refusesRepeats: true,
});

/** The public interface promises all of these methods. HEAD comes with GET. */
const analytics = [
  { id: 'blackops.analytics_get', path: 'GET /api/auth/blackops/analytics' },
  { id: 'blackops.analytics_post', path: 'POST /api/auth/blackops/analytics' },
  { id: 'blackops.analytics_put', path: 'PUT /api/auth/blackops/analytics' },
  { id: 'blackops.analytics_delete', path: 'DELETE /api/auth/blackops/analytics' },
  { id: 'blackops.analytics_patch', path: 'PATCH /api/auth/blackops/analytics' },
  { id: 'blackops.analytics_options', path: 'OPTIONS /api/auth/blackops/analytics' },
] as const;

/** The promised methods beside GET have titles that tell them apart. */
function titleOf(path: string): string {
  const method = path.slice(0, path.indexOf(' '));
  return method === 'GET' ? 'Get device analytics' : `Get device analytics (${method})`;
}

/** Figures of devices, requests and sign-ins. */
export const dashboardOperations = [
  operation({
    id: 'blackops.dashboard',
    path: 'GET /api/auth/blackops/dashboard',
    summary: 'Get the device dashboard',
    description: 'Pending requests, recent decisions and risk events.',
    query: DaysQuery,
    output: DashboardView,
    run: ({ dashboard }, { days }, { signal }) => dashboard.overview(days, signal),
  }),
  ...analytics.map((each) =>
    operation({
      ...each,
      summary: titleOf(each.path),
      description: 'Counts by day. All methods return the same data and change nothing.',
      query: DaysQuery,
      output: SeriesView,
      async run({ dashboard }, { days }, { request: { method }, reply, signal }) {
        if (method === 'OPTIONS')
          void reply.header('allow', 'GET, POST, PUT, DELETE, PATCH, OPTIONS, HEAD');
        return { method, ...(await dashboard.series(days, signal)) };
      },
    }),
  ),
];
