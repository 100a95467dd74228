import type { IncomingHttpHeaders } from 'node:http';
import { LRUCache } from 'lru-cache';
import {
  RequestValidationError,
  valueError,
} from '../../../platform/validation/validation-error.ts';
import type { AnalyticsResources } from '../resources.ts';
import type { Sites } from '../sites/sites.ts';
import type { Ingest } from './ingest.ts';
import { contextOf } from './request-context.ts';
import type { EventInput } from './schemas.ts';

/** That someone has opened a link of this service that redirects, such as that of a QR code. */
export type LinkEvent = Pick<EventInput, 'event' | 'url' | 'site_id' | 'tag' | 'props'>;

/** The request of whoever opened the link. */
export interface LinkRequest {
  method: string;
  ip: string;
  headers: IncomingHttpHeaders;
}

/** How long a site counts as refused, in ms, so that not every event asks the database. */
const refusedMs = 10_000;
const maxRefused = 1000;

/** Creates the function that registers the site of a link, unless that was refused just now. */
function createSiteRegistration(sites: Sites) {
  const refused = new LRUCache<string, true>({ max: maxRefused, ttl: refusedMs });
  return async (key: string): Promise<void> => {
    if (sites.peek(key) !== undefined || refused.has(key)) return;
    if ((await sites.add(key)) === undefined) refused.set(key, true);
  };
}

/** Counts the openings of links that redirect, such as those of QR codes, as events of a site. */
export function createLinkEvents(
  { sites, logger, baseOrigin }: Pick<AnalyticsResources, 'sites' | 'logger' | 'baseOrigin'>,
  ingest: Ingest,
) {
  const register = createSiteRegistration(sites);
  return {
    /**
     * Returns the site whose figures count the openings of a link: the one that an admin has named,
     * or the service itself. It registers the site, so that the first opening counts even where
     * registration is closed, and throws a RequestValidationError if there are as many as
     * SITE_LIMIT allows.
     */
    async linkSite(key: string = new URL(baseOrigin).hostname): Promise<string> {
      if ((await sites.add(key)) !== undefined) return key;
      throw new RequestValidationError([
        valueError(['body', 'site_id'], 'is not a site yet, and SITE_LIMIT is reached'),
      ]);
    },

    /**
     * Records an event for the request of whoever opened a link. Resolves once the event is on
     * disk. An event that can't be recorded, because the store is full or the address has used up
     * its budget, is counted as dropped, and the person still gets on. An admin named the site, so
     * it is registered even where events can't register one.
     */
    async recordLinkEvent(request: LinkRequest, event: LinkEvent): Promise<void> {
      const { site_id: site } = event;
      try {
        await register(site);
        const { referer: referrer } = request.headers;
        // The spread comes last: V8 takes 2 µs to add a property to a spread object, and makes each
        // look at a missing one slow.
        // Not trusted, also for admins: the limits of unknown senders apply.
        await ingest.track({ referrer, ...event }, contextOf(request, ingest.now(), false));
      } catch (err) {
        ingest.countRejected(site, 'unavailable');
        logger.debug({ err }, 'the opening of a link was not recorded');
      }
    },
  };
}

export type RecordLinkEvent = ReturnType<typeof createLinkEvents>['recordLinkEvent'];
