import { dayMs } from '../../../lib/durations.ts';
import { systemRequester } from '../../../platform/http/requests/requester.ts';
import type { QrParts } from '../compose.ts';
import { scanEvent } from '../events.ts';
import type { QrCodeView } from '../schemas.ts';

/** The scans of people, from the events of the sites of codes. */
export function createScanCounts({
  queries,
  sites,
  logger,
  clock,
}: Pick<QrParts, 'queries' | 'sites' | 'logger' | 'clock'>) {
  return {
    addTo,
    trends,
  };

  /** Leaves `scans` at null for static codes, and while the figures are unavailable. */
  async function addTo(views: readonly QrCodeView[]): Promise<QrCodeView[]> {
    const dynamic = views.filter((view) => view.dynamic);
    if (dynamic.length === 0) return [...views];
    try {
      const counts = await countsOf(dynamic);
      return views.map((view) => {
        if (!view.dynamic) return view;
        const found = counts.get(view.code);
        if (found === undefined) return { ...view, scans: 0 };
        const last = new Date(found.lastEventAt).toISOString();
        return { ...view, scans: found.events, last_scanned_at: last };
      });
    } catch (err) {
      logger.warn({ err }, 'the scans of QR codes could not be counted');
      return [...views];
    }
  }

  /**
   * Scans by people on each of the last days, today last, by short code. Empty while the figures
   * are unavailable; static codes have none.
   */
  async function trends(
    views: readonly QrCodeView[],
    days: number,
  ): Promise<Map<string, number[]>> {
    const dynamic = views.filter((view) => view.dynamic);
    if (dynamic.length === 0) return new Map();
    const today = Math.floor(clock.now() / dayMs);
    const first = today - days + 1;
    try {
      const query = { ...queryOf(dynamic), since: first * dayMs };
      const found = await queries.tagDays(query, systemRequester('qr scans'));
      const byCode = new Map(dynamic.map(({ code }) => [code, Array<number>(days).fill(0)]));
      for (const { tag, day, events } of found) {
        const series = byCode.get(tag);
        const at = day / dayMs - first;
        if (series !== undefined && at >= 0 && at < days) series[at] = events;
      }
      return byCode;
    } catch (err) {
      logger.warn({ err }, 'the scans of QR codes by day could not be counted');
      return new Map();
    }
  }

  async function countsOf(views: readonly QrCodeView[]) {
    const counts = await queries.tagCounts(queryOf(views), systemRequester('qr scans'));
    return new Map(counts.map((count) => [count.tag, count]));
  }

  function queryOf(views: readonly QrCodeView[]) {
    const keys = [...new Set(views.map((view) => view.site_id))];
    const siteId = keys.flatMap((key) => sites.peek(key)?.id ?? []);
    return { siteId, event: scanEvent, tags: views.map(({ code }) => code) };
  }
}
