import {
  DashboardQuery,
  type DashboardView,
} from '../../../areas/analytics/figures/schemas.dashboard.ts';
import type { GraphqlContext, NodeFinder, Resolvers } from '../context.ts';
import { readArguments } from './arguments.ts';

interface DashboardArgs {
  filters?: string[] | null;
  bots?: boolean | null;
}

async function dashboard(
  _root: unknown,
  { filters, bots, ...args }: DashboardArgs,
  { access, requester, services }: GraphqlContext,
) {
  await access().reader();
  // The schema of the REST API expects strings, as in a URL.
  const query = { ...args, filter: filters, bots: bots == null ? undefined : String(bots) };
  return services.dashboards.getDashboard(
    readArguments(DashboardQuery, query, 'query'),
    requester(),
  );
}

async function sites(_root: unknown, _args: unknown, context: GraphqlContext) {
  const { access, requester, services } = context;
  await access().reader();
  return services.dashboards.sites(requester());
}

const dropped = ({ dropped: byReason }: DashboardView['left_out']) =>
  Object.entries(byReason).map(([reason, events]) => ({ reason, events }));

/** Figures of sites, as from `/analytics/dashboard` and `/analytics/sites`. */
export const analyticsResolvers = {
  Query: { dashboard, sites },
  DashboardLeftOut: { dropped },
} satisfies Resolvers;

export const analyticsNodes = {
  Site: async (rawId, context) =>
    (await sites(undefined, undefined, context)).find(({ site_id: id }) => id === rawId),
} satisfies Record<string, NodeFinder>;
