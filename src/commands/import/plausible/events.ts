import { type ImportEvent, unknownVisitor, omitEmpty } from '../event.ts';
import { rowId, visitorId } from '../ids.ts';
import { joinUrl } from '../page-url.ts';
import type { Day, Page } from './day.ts';
import { unknownPage } from './deal.ts';
import type { PlannedVisit } from './plan.ts';

/** Tag of every made-up event, to filter them out (`filter=tag:is_not:plausible-import`). */
export const madeUpTag = 'plausible-import';

const urlOf = ({ hostname, page }: Page, tags: readonly (readonly [string, string])[] = []) =>
  joinUrl({ hostname, pathname: page === '' ? '/' : page, query: '', tags });

type Common = Pick<ImportEvent, 'site_id' | 'visitor_id'> & Partial<ImportEvent>;

function commonOf(site: string, date: string, visit: PlannedVisit): Common {
  const { country, browser, system, device } = visit;
  return {
    site_id: site,
    visitor_id: visitorId('plausible', `${site} ${date} ${visit.visitor}`),
    session_id: `plausible-${date}-${visit.number}`,
    tag: madeUpTag,
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

/** Yields a day's custom events, spread over visits. They leave the number of bounces as it is. */
export function* customEvents(
  site: string,
  day: Day,
  visits: readonly PlannedVisit[],
): Generator<ImportEvent> {
  let first = 0;
  for (const [row, { name, props, visitors, events }] of day.events.entries()) {
    const spread = Math.max(1, Math.min(visitors, visits.length));
    for (let count = 0; count < events; count += 1) {
      const visit = visits[(first + (count % spread)) % Math.max(1, visits.length)];
      const common: Common =
        visit === undefined
          ? { site_id: site, visitor_id: unknownVisitor, tag: madeUpTag }
          : commonOf(site, day.date, visit);
      const id = rowId('plausible event', count, `${site} ${day.date} ${row} ${name}`);
      // One millisecond later, so that the page view stays the first event of its visit.
      const timestamp = (visit?.start ?? day.start) + 1;
      yield {
        ...common,
        ...omitEmpty({ props }),
        event: name,
        url: urlOf(visit?.pages[0] ?? unknownPage),
        id,
        timestamp,
        interactive: false,
      };
    }
    first += spread;
  }
}
