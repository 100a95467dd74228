import { DashboardQuery } from '../../../areas/analytics/figures/schemas.dashboard.ts';
import type { GraphContext, GraphqlServices, NodeFinder, Resolver, Resolvers } from '../context.ts';
import { inCamelCase } from './camel-case.ts';
import { checkedInput } from './arguments.ts';
import { toNodeId } from './node-ids.ts';

interface DashboardArgs {
  siteId: string;
  period?: keyof typeof periods | null;
  from?: string | null;
  to?: string | null;
  timezone?: string | null;
  interval?: string | null;
  filters?: string[] | null;
  compare?: string | null;
  bots?: boolean | null;
  limit?: number | null;
}

/** Names of GraphQL can't begin with a digit. */
const periods = {
  LAST_24_HOURS: '24h',
  LAST_7_DAYS: '7d',
  LAST_30_DAYS: '30d',
  LAST_90_DAYS: '90d',
  LAST_12_MONTHS: '12mo',
  CUSTOM: 'custom',
} as const;

function readQuery({ siteId, period, filters, bots, ...others }: DashboardArgs): DashboardQuery {
  // The schema reads strings, as they come in a URL.
  const given = {
    site_id: siteId,
    ...others,
    filter: filters,
    period: period == null ? undefined : periods[period],
    bots: bots == null ? undefined : String(bots),
  };
  return checkedInput(DashboardQuery, given, 'query');
}

/** Figures of sites, as `/analytics/dashboard` and `/analytics/sites` give them. */
export function createAnalyticsResolvers({ dashboards }: GraphqlServices) {
  const dashboard: Resolver<unknown, DashboardArgs, object> = async (
    _root,
    args,
    { access, questioner },
  ) => {
    await access().reader();
    const { left_out: leftOut, ...view } = await dashboards.getDashboard(
      readQuery(args),
      questioner(),
    );
    const dropped = Object.entries(leftOut.dropped).map(([reason, events]) => ({ reason, events }));
    return { ...inCamelCase(view), leftOut: { botEvents: leftOut.bot_events, dropped } };
  };

  async function sites({ access, questioner }: GraphContext) {
    await access().reader();
    return (await dashboards.sites(questioner())).map((site) => ({
      __typename: 'Site',
      id: toNodeId('Site', site.site_id),
      ...inCamelCase(site),
    }));
  }

  return {
    resolvers: {
      Query: {
        dashboard,
        sites: (_root: unknown, _args: unknown, context: GraphContext) => sites(context),
      },
    } satisfies Resolvers,
    nodes: {
      Site: async (rawId, context) => (await sites(context)).find(({ siteId }) => siteId === rawId),
    } satisfies Record<string, NodeFinder>,
  };
}
