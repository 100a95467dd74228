import type { Requester } from '../../../platform/http/requests/requester.ts';
import type { QrParts } from '../compose.ts';
import { qrErrors } from '../errors.ts';
import { scanEvent } from '../events.ts';
import { conditionsOf, ruleProperty } from '../rule-prop.ts';
import type { StatsQuery, StatsView } from './schemas.ts';
import type { Codes } from './service.ts';

const rows = (found: readonly { value: string | null; visitors: number; visits: number }[]) =>
  found.map(({ value, visitors, visits }) => ({ value, people: visitors, visits }));

/** The scans of a code, from the figures of its site. */
export const createScanStats = ({
  codes,
  dashboards,
  queries,
  sites,
}: QrParts & { codes: Codes }) => ({
  /** Throws `qr.not_found`, `qr.not_dynamic`. */
  async get(id: string, query: StatsQuery, by: Requester): Promise<StatsView> {
    const { code, dynamic, site_id: siteId } = await codes.get(id);
    if (!dynamic) throw qrErrors.not_dynamic();
    const filter = `tag:is:${code}`;
    const figures = await dashboards.getDashboard(
      {
        ...query,
        site_id: siteId,
        filter: [filter, `event:is:${scanEvent}`],
        onlyEvents: true,
        bots: false,
      },
      by,
    );
    const { from, to, timezone, interval } = figures.period;
    const site = sites.peek(siteId);
    const counted =
      site === undefined
        ? []
        : await queries.tagProps(
            {
              siteId: site.id,
              event: scanEvent,
              tag: code,
              property: ruleProperty,
              range: { from: Date.parse(from), to: Date.parse(to) },
            },
            by,
          );
    return {
      site_id: siteId,
      filter,
      period: { from, to, timezone, interval },
      scans: figures.totals.events,
      people: figures.totals.visitors,
      bots: figures.left_out.bot_events,
      series: figures.series.map(({ start, events, visitors }) => ({
        start,
        scans: events,
        people: visitors,
      })),
      countries: rows(figures.countries),
      devices: rows(figures.devices),
      operating_systems: rows(figures.operating_systems),
      browsers: rows(figures.browsers),
      languages: rows(figures.languages),
      referrers: rows(figures.referrers),
      rules: counted.map(({ value, events }) => ({ rule: conditionsOf(value), scans: events })),
    };
  },
});
