import { LRUCache } from 'lru-cache';
import { parseCampaign } from '../../links/campaign.ts';
import { type PageUrlError, parsePageUrl } from '../../enrichment/page-url.ts';
import type { Rejection, SiteRules } from '../../sites/rules.ts';
import type { Site } from '../../sites/store.ts';
import { agentColumns } from '../../store/events.ts';
import type { JournalEvent } from '../../store/journal-record.ts';
import type { RequestContext } from '../request-context.ts';
import type { EventInput } from '../schemas.ts';
import type { ClientCache } from './clients.ts';
import {
  addDetails,
  addImportedClient,
  addPage,
  addVitals,
  admitProps,
  type DroppedField,
  type Page,
} from './event-details.ts';
import { eventTime } from './event-time.ts';

export interface AdmittedEvent {
  event: JournalEvent;
  dropped: DroppedField[];
}

const nothingDropped: DroppedField[] = [];
const unrecognised = '0'.repeat(16);

const urlMessages: Record<PageUrlError, string> = {
  url_scheme: 'url must be a path or an absolute http or https URL',
  url_too_long: 'url must be at most 2,048 bytes long',
  url_invalid: 'url must be a path or an absolute http or https URL',
};

/** Fields that are accepted only from trusted requests. */
const trustedFields = [
  'ip',
  'user_agent',
  'visitor_id',
  'country',
  ...agentColumns,
  'bot',
] as const;

const isGiven = (input: EventInput) => (name: (typeof trustedFields)[number]) =>
  input[name] != null;

const isImported = (
  input: EventInput,
  { isTrusted }: RequestContext,
): input is EventInput & { visitor_id: string } => isTrusted && input.visitor_id != null;

const hasOptedOut = ({ settings }: Site, { optOut }: RequestContext) =>
  (optOut.gpc && settings.honour_gpc) || (optOut.dnt && settings.honour_dnt);

/**
 * Decides which events are stored, and which of their fields. `identified` returns the stable hash
 * (16 hex digits) of a visitor that the site identifies.
 */
export function createAdmission({
  clients,
  newId,
  identified,
}: {
  clients: ClientCache;
  newId: (now: number) => string;
  identified: (siteId: number, person: string) => string;
}) {
  const pages = new LRUCache<string, Page>({ max: 10_000 });

  return {
    /** Converts validated input to a journal event, or returns why it is rejected. */
    admit(input: EventInput, site: Site, request: RequestContext): AdmittedEvent | Rejection {
      const page = parsePage(input.url);
      if ('error' in page)
        return { code: page.error, message: urlMessages[page.error], field: 'url' };
      const rejected = site.rules === undefined ? undefined : checkRules(site.rules, page, request);
      if (rejected !== undefined) return rejected;
      const hasTrustedFields = trustedFields.some(isGiven(input));
      const isUnnamed =
        input.user_id != null && !isImported(input, request) && hasOptedOut(site, request);
      const mayDrop =
        input.props != null || input.timestamp !== undefined || hasTrustedFields || isUnnamed;
      const dropped = mayDrop ? [] : nothingDropped;
      const time = eventTime(input, request, dropped);
      if (typeof time === 'object') return time;
      const id = input.id === undefined ? newId(request.receivedAt) : input.id.toLowerCase();
      const event: JournalEvent = { s: site.id, t: time, i: id, p: page.pathname };
      if (input.id !== undefined) event.k = 1;
      if (input.event !== 'pageview') event.n = input.event;
      addPage(event, page);
      if (input.props != null) event.pr = admitProps(input.props, dropped);
      if (!request.isTrusted && hasTrustedFields)
        for (const field of trustedFields.filter(isGiven(input)))
          dropped.push({ reason: 'needs_api_key', field });
      if (isUnnamed) dropped.push({ reason: 'opted_out', field: 'user_id' });
      addDetails(event, input);
      addVitals(event, input);
      if (isImported(input, request)) addImportedVisitor(event, input);
      else addVisitor(event, input, site, request);
      if (request.isTrusted) addImportedClient(event, input, request.userAgent);
      return { event, dropped };
    },
  };

  /** Parses the url of an event, using the cache. */
  function parsePage(url: string): Page | { error: PageUrlError } {
    const known = pages.get(url);
    if (known !== undefined) return known;
    const parsed = parsePageUrl(url);
    if ('error' in parsed) return parsed;
    const campaign = parseCampaign(url);
    const isTagged = Object.values(campaign).some((tag) => tag !== null);
    const page = { ...parsed, campaign: isTagged ? campaign : undefined };
    pages.set(url, page);
    return page;
  }

  function checkRules(
    rules: SiteRules,
    { hostname, pathname }: Page,
    { isTrusted, ip, userAgent }: RequestContext,
  ): Rejection | undefined {
    const country = () => clients.country(ip, userAgent);
    return rules.rejection({ hostname, pathname, isTrusted, ip, country });
  }

  /** Adds the visitor of an imported event. Ignores the address and headers of the request. */
  function addImportedVisitor(
    event: JournalEvent,
    { visitor_id: visitor, ip, user_agent: userAgent }: EventInput & { visitor_id: string },
  ): void {
    if (userAgent != null) event.a = userAgent;
    const country = ip == null ? undefined : clients.country(ip, userAgent ?? '');
    if (country !== undefined) event.c = country;
    if (visitor !== unrecognised) event.v = visitor;
  }

  function addVisitor(
    event: JournalEvent,
    input: EventInput,
    site: Site,
    request: RequestContext,
  ): void {
    const ip = (request.isTrusted ? input.ip : undefined) ?? request.ip;
    const userAgent = (request.isTrusted ? input.user_agent : undefined) ?? request.userAgent;
    if (userAgent !== request.userAgent) event.a = userAgent;
    const country = clients.country(ip, userAgent);
    if (country !== undefined) event.c = country;
    if (event.l === undefined && request.acceptLanguage !== undefined)
      event.l = request.acceptLanguage.slice(0, 64);
    if (hasOptedOut(site, request)) {
      delete event.u;
      delete event.z;
      return;
    }
    const person = input.user_id ?? input.anonymous_id;
    if (person != null) {
      event.v = identified(site.id, person);
      if (input.user_id == null) event.o = 1;
      return;
    }
    const { today, yesterday } = clients.visitor(site.id, ip, userAgent, request.receivedAt);
    event.v = today;
    event.w = yesterday;
  }
}

export type Admission = ReturnType<typeof createAdmission>;
