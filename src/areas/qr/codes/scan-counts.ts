import { systemRequester } from '../../../platform/http/requests/requester.ts';
import type { QrParts } from '../compose.ts';
import { scanEvent } from '../events.ts';
import type { QrCodeView } from '../schemas.ts';

/** Adds the scans of people to views of codes, from the events of their sites. */
export function createScanCounts({ queries, sites, logger }: QrParts) {
  return {
    /** Leaves `scans` at null for static codes, and while the figures are unavailable. */
    async addTo(views: readonly QrCodeView[]): Promise<QrCodeView[]> {
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
    },
  };

  async function countsOf(views: readonly QrCodeView[]) {
    const keys = [...new Set(views.map((view) => view.site_id))];
    const siteId = keys.flatMap((key) => sites.peek(key)?.id ?? []);
    const tags = views.map(({ code }) => code);
    const query = { siteId, event: scanEvent, tags };
    const counts = await queries.tagCounts(query, systemRequester('qr scans'));
    return new Map(counts.map((count) => [count.tag, count]));
  }
}
