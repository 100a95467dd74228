import { type ImportEvent, unknownVisitor, omitEmpty } from '../event.ts';
import { rowId, visitorId } from '../ids.ts';
import { joinUrl } from '../page-url.ts';
import type { Day, Page } from './day.ts';
import { unknownPage } from './deal.ts';
import type { PlannedVisit } from './plan.ts';

/** Tag of every made-up event, to filter them out (`filter=tag:is_not:plausible-import`). */
export const syntheticTag = 'plausible-import';

const urlOf = ({ hostname, page }: Page, tags: readonly (readonly [string, string])[] = []) =>
  joinUrl({ hostname, pathname: page === '' ? '/' : page, query: '', tags });

type Common = Pick<ImportEvent, 'site_id' | 'visitor_id'> & Partial<ImportEvent>;

function commonOf(site: string, date: string, visit: PlannedVisit): Common {
  const { country, browser, system, device } = visit;
  return {
    site_id: site,
    visitor_id: visitorId('plausible', `${site} ${date} ${visit.visitor}`),
    session_id: `plausible-${date}-${visit.number}`,
    tag: syntheticTag,
    bot: false,
    ...omitEmpty({ country, ...browser, ...system, device }),
  };
}

/** Yields a visit's page views, evenly spaced. Only the first has the visit's origin. */
export function* pageViews(
  site: string,
  date: string,
  visit: PlannedVisit,
): Generator<ImportEvent> {
  const common = commonOf(site, date, visit);
  const steps = Math.max(1, visit.pages.length - 1);
  for (const [at, page] of visit.pages.entries()) {
    const url = urlOf(page, at === 0 ? visit.origin?.tags : []);
    const id = rowId('plausible', at, `${site} ${date} ${visit.number}`);
    const referrer = at === 0 ? visit.origin?.referrer : undefined;
    yield {
      ...common,
      ...omitEmpty({ referrer }),
      event: 'pageview',
      url,
      id,
      timestamp: visit.start + Math.round((visit.durationMs * at) / steps),
    };
  }
}

/** The origin of a visit that has no page view to carry it. */
const originOf = ({ origin }: PlannedVisit, isFirst: boolean) =>
  isFirst ? { tags: origin?.tags, referrer: origin?.referrer } : {};

/**
 * Yields a day's custom events, spread over visits, those without a page view first: these exist
 * because of their events. They leave the number of bounces as it is.
 */
export function* customEvents(
  site: string,
  day: Day,
  visits: readonly PlannedVisit[],
): Generator<ImportEvent> {
  const order = [...visits].sort(
    (a, b) => Math.min(a.pages.length, 1) - Math.min(b.pages.length, 1),
  );
  const started = new Set<PlannedVisit>();
  let first = 0;
  for (const [row, { name, props, visitors, events }] of day.events.entries()) {
    const spread = Math.max(1, Math.min(visitors, visits.length));
    for (let count = 0; count < events; count += 1) {
      const visit = order[(first + (count % spread)) % Math.max(1, order.length)];
      const common: Common =
        visit === undefined
          ? { site_id: site, visitor_id: unknownVisitor, tag: syntheticTag }
          : commonOf(site, day.date, visit);
      const id = rowId('plausible event', count, `${site} ${day.date} ${row} ${name}`);
      const isFirst = visit?.pages.length === 0 && !started.has(visit);
      if (visit !== undefined) started.add(visit);
      const { tags, referrer } = visit === undefined ? {} : originOf(visit, isFirst);
      // One millisecond later, so that the page view stays the first event of its visit.
      const timestamp = (visit?.start ?? day.start) + 1;
      yield {
        ...common,
        ...omitEmpty({ props, referrer }),
        event: name,
        url: urlOf(visit?.pages[0] ?? unknownPage, tags),
        id,
        timestamp,
        interactive: visit?.isInteractive === true,
      };
    }
    first += spread;
  }
}
