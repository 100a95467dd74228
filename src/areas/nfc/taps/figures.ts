import { dayMs } from '../../../lib/durations.ts';
import { AppError } from '../../../platform/errors/errors.ts';
import { type Requester, systemRequester } from '../../../platform/http/requests/requester.ts';
import type { TagEvent } from '../../analytics/store/queries.ts';
import type { NfcParts } from '../compose.ts';
import type { NfcTagView } from '../schemas.ts';
import { tapEvent } from './service.ts';

/** The taps of one tag in a period, from the figures of its site. */
export interface TapFigures {
  taps: number;
  people: number;
  /** Selects the same taps in the dashboard. */
  filter: string;
  timezone: string;
  interval: 'hour' | 'day' | 'week' | 'month';
  series: { start: string; taps: number; people: number }[];
  /** The newest taps, of all time. */
  recent: TagEvent[];
}

type Tag = Pick<NfcTagView, 'code' | 'site_id'>;

/** Whether figures are away for a while, which no page has to wait for. */
const isAway = (error: unknown): boolean => error instanceof AppError && error.status >= 500;

/** Reads taps from the events of the sites that count them. */
export function createTapFigures({ sites, queries, dashboards, clock, logger }: NfcParts) {
  return {
    /**
     * The taps of each of the last `days` days, oldest first, by the codes of tags. Tags without
     * any are left out, and all of them while the figures are unavailable.
     */
    async byDay(tags: readonly Tag[], days: number): Promise<ReadonlyMap<string, number[]>> {
      const keys = [...new Set(tags.map(({ site_id: key }) => key))];
      const siteId = keys.flatMap((key) => sites.peek(key)?.id ?? []);
      if (siteId.length === 0) return new Map();
      const since = Math.floor(clock.now() / dayMs) * dayMs - (days - 1) * dayMs;
      const query = { siteId, event: tapEvent, tags: tags.map(({ code }) => code), since };
      try {
        const found = await queries.tagDays(query, systemRequester('nfc taps'));
        const counts = new Map<string, number[]>();
        for (const { tag, day, events } of found) {
          const ofTag = counts.get(tag) ?? Array.from({ length: days }, () => 0);
          ofTag[(day - since) / dayMs] = events;
          counts.set(tag, ofTag);
        }
        return counts;
      } catch (err) {
        logger.warn({ err }, 'the taps of NFC tags could not be counted');
        return new Map();
      }
    },

    /** Undefined while the figures are unavailable. */
    async ofTag(
      { code, site_id: key }: Tag,
      period: '7d' | '30d' | '90d' | '12mo',
      by: Requester,
    ): Promise<TapFigures | undefined> {
      const site = sites.peek(key);
      if (site === undefined) return undefined;
      const filter = `tag:is:${code}`;
      try {
        const [figures, recent] = await Promise.all([
          dashboards.getDashboard(
            {
              ...{ period, limit: 1, bots: false, site_id: key },
              timezone: site.settings.timezone,
              filter: [filter, `event:is:${tapEvent}`],
              onlyEvents: true,
            },
            by,
          ),
          queries.tagEvents({ siteId: site.id, event: tapEvent, tag: code, limit: maxRecent }, by),
        ]);
        return {
          taps: figures.totals.events,
          people: figures.totals.visitors,
          filter,
          timezone: figures.period.timezone,
          interval: figures.period.interval,
          series: figures.series.map(({ start, events, visitors }) => ({
            start,
            taps: events,
            people: visitors,
          })),
          recent,
        };
      } catch (error) {
        if (!isAway(error)) throw error;
        return undefined;
      }
    },
  };
}

const maxRecent = 12;
