import { LRUCache } from 'lru-cache';
import { measurements } from '../../store/events.ts';
import type { ClientCache, RequestContext } from './client-cache.ts';
import { type Campaign, parseCampaign } from '../../enrichment/campaign.ts';
import { type PageUrl, type PageUrlError, parsePageUrl } from '../../enrichment/page-url.ts';
import type { JournalEvent } from '../journal-record.ts';
import type { EventInput } from '../schemas.ts';
import type { SiteRules } from '../../sites/site-rules.ts';
import type { Site } from '../../sites/sites.ts';
import { hourMs } from '../../../../lib/durations.ts';

const publicAgeLimit = 72 * hourMs;
const aheadLimit = 60_000;
const propLimit = { count: 30, key: 300, value: 2000 };

export interface Rejection {
  code: string;
  message: string;
  field?: string;
}

/** A part of an event that was left out although the event was stored. */
export interface DroppedField {
  reason: string;
  field?: string;
}

export interface AdmittedEvent {
  event: JournalEvent;
  dropped: DroppedField[];
}

interface Page extends PageUrl {
  campaign: Campaign | undefined;
}

const none: DroppedField[] = [];
const unrecognised = '0'.repeat(16);

const pageMistakes: Record<PageUrlError, string> = {
  url_scheme: 'url must be a path or an absolute http or https URL',
  url_too_long: 'url must be at most 2,048 bytes long',
  url_invalid: 'url must be a path or an absolute http or https URL',
};

/** The time of the event in Unix ms, or why it can't be taken. */
function eventTime(
  input: EventInput,
  request: RequestContext,
  omissions: DroppedField[],
): number | Rejection {
  const given = input.timestamp;
  if (given === undefined) return request.receivedAt;
  const time = (typeof given === 'number' ? given : Date.parse(given)) + request.clockSkewMs;
  if (time > request.receivedAt) {
    if (time - request.receivedAt > aheadLimit)
      omissions.push({ reason: 'timestamp_clamped', field: 'timestamp' });
    return request.receivedAt;
  }
  if (time < 0)
    return { code: 'timestamp_too_old', message: 'timestamp is before 1970', field: 'timestamp' };
  if (!request.isTrusted && request.receivedAt - time > publicAgeLimit) {
    return {
      code: 'timestamp_too_old',
      message: 'timestamp is more than 72 hours ago; older events need an API key',
      field: 'timestamp',
    };
  }
  return time;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

function admitProps(
  props: Record<string, unknown>,
  omissions: DroppedField[],
): Record<string, string> {
  const kept: [string, string][] = [];
  for (const [key, value] of Object.entries(props)) {
    if (value === null) continue;
    const text = textOf(value);
    const field = `props.${key.slice(0, 60)}`;
    if (text === undefined) omissions.push({ reason: 'prop_not_flat', field });
    else if (kept.length === propLimit.count) omissions.push({ reason: 'props_over_limit', field });
    else if (key.length > propLimit.key || text.length > propLimit.value)
      omissions.push({ reason: 'prop_too_long', field });
    else kept.push([key, text]);
  }
  return Object.fromEntries(kept);
}

const decimalText = (amount: number | string): string =>
  typeof amount === 'number' ? amount.toFixed(4) : amount;

function addPage(event: JournalEvent, { hostname, query, campaign }: Page): void {
  if (hostname !== null) event.h = hostname;
  if (query !== null) event.q = query;
  if (campaign !== undefined) event.m = campaign;
}

function addDetails(event: JournalEvent, input: EventInput): void {
  if (input.referrer) event.r = input.referrer.slice(0, 2048);
  if (input.title) event.ti = input.title.slice(0, 512);
  if (input.revenue) event.re = [decimalText(input.revenue.amount), input.revenue.currency];
  if (input.user_id) event.u = input.user_id;
  if (input.screen) event.sc = input.screen;
  if (input.language) event.l = input.language;
  if (input.interactive === false || measurements.has(input.event)) event.x = 0;
  if (input.scroll_depth != null) event.sd = Math.round(input.scroll_depth);
  if (input.engagement_ms != null) event.en = Math.round(input.engagement_ms);
  if (input.tag) event.tg = input.tag;
  if (input.session_id) event.z = input.session_id;
}

function addVitals(event: JournalEvent, { lcp, inp, fcp, ttfb, cls }: EventInput): void {
  if (lcp == null && inp == null && fcp == null && ttfb == null && cls == null) return;
  event.wv = [lcp ?? null, inp ?? null, fcp ?? null, ttfb ?? null, cls ?? null];
}

const keyedFields = [
  'ip',
  'user_agent',
  'visitor_id',
  'country',
  'browser',
  'browser_version',
  'os',
  'os_version',
  'device',
  'bot',
] as const;

const isGiven = (input: EventInput) => (name: (typeof keyedFields)[number]) => input[name] != null;

function addClaims(event: JournalEvent, input: EventInput): void {
  const {
    browser,
    browser_version: browserVersion,
    os,
    os_version: osVersion,
    device,
    bot,
    visitor_id: visitor,
    user_agent: userAgent,
  } = input;
  if (input.country != null) event.c = input.country;
  if (bot === true) event.b = 1;
  const named = browser ?? os ?? device;
  if (named == null && (visitor == null || userAgent != null)) return;
  event.ag = [
    browser ?? null,
    browserVersion ?? null,
    os ?? null,
    osVersion ?? null,
    device ?? null,
  ];
}

const isImported = (
  input: EventInput,
  { isTrusted: keyed }: RequestContext,
): input is EventInput & { visitor_id: string } => keyed && input.visitor_id != null;

const optedOut = (site: Site, { optOut }: RequestContext) =>
  (optOut.gpc && site.settings.honour_gpc) || (optOut.dnt && site.settings.honour_dnt);

/** Turns validated input into the event that goes to the journal, or says why not. */
export function createAdmission({
  clients,
  newId,
  identified,
}: {
  clients: ClientCache;
  newId: (now: number) => string;
  /** Stable hash (16 hex digits) of a visitor that the site names itself. */
  identified: (siteId: number, person: string) => string;
}) {
  const pages = new LRUCache<string, Page>({ max: 10_000 });

  function page(url: string): Page | { error: PageUrlError } {
    const known = pages.get(url);
    if (known !== undefined) return known;
    const parsed = parsePageUrl(url);
    if ('error' in parsed) return parsed;
    const campaign = parseCampaign(url);
    const tagged =
      campaign.utmSource ??
      campaign.utmMedium ??
      campaign.utmCampaign ??
      campaign.utmTerm ??
      campaign.utmContent ??
      campaign.clickId;
    const fresh = { ...parsed, campaign: tagged === null ? undefined : campaign };
    pages.set(url, fresh);
    return fresh;
  }

  function refusedBy(
    rules: SiteRules,
    { hostname, pathname }: Page,
    { isTrusted: keyed, ip, userAgent }: RequestContext,
  ): Rejection | undefined {
    return rules.refusal({
      hostname,
      pathname,
      isTrusted: keyed,
      ip,
      country: () => clients.country(ip, userAgent),
    });
  }

  /** The visitor of an import: nothing about the importing request belongs to it. */
  function addImported(event: JournalEvent, visitor: string, input: EventInput): void {
    if (input.user_agent != null) event.a = input.user_agent;
    const country =
      input.ip == null ? undefined : clients.country(input.ip, input.user_agent ?? '');
    if (country !== undefined) event.c = country;
    if (visitor !== unrecognised) event.v = visitor;
  }

  function addVisitor(
    event: JournalEvent,
    input: EventInput,
    site: Site,
    request: RequestContext,
  ): void {
    const believed = request.isTrusted;
    if (isImported(input, request)) {
      addImported(event, input.visitor_id, input);
      return;
    }
    const ip = (believed ? input.ip : undefined) ?? request.ip;
    const userAgent = (believed ? input.user_agent : undefined) ?? request.userAgent;
    if (userAgent !== request.userAgent) event.a = userAgent;
    const country = clients.country(ip, userAgent);
    if (country !== undefined) event.c = country;
    if (event.l === undefined && request.acceptLanguage !== undefined)
      event.l = request.acceptLanguage.slice(0, 64);
    if (optedOut(site, request)) {
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
    const pair = clients.visitor(site.id, ip, userAgent, request.receivedAt);
    event.v = pair.today;
    event.w = pair.yesterday;
  }

  return {
    admit(input: EventInput, site: Site, request: RequestContext): AdmittedEvent | Rejection {
      const parsed = page(input.url);
      if ('error' in parsed) {
        return { code: parsed.error, message: pageMistakes[parsed.error], field: 'url' };
      }
      const refused = site.rules === undefined ? undefined : refusedBy(site.rules, parsed, request);
      if (refused !== undefined) return refused;
      let omissions = none;
      const claims = keyedFields.some(isGiven(input));
      const unnamed =
        input.user_id != null && !isImported(input, request) && optedOut(site, request);
      if (input.props != null || input.timestamp !== undefined || claims || unnamed) omissions = [];
      const time = eventTime(input, request, omissions);
      if (typeof time === 'object') return time;
      const event: JournalEvent = {
        s: site.id,
        t: time,
        i: input.id ?? newId(request.receivedAt),
        p: parsed.pathname,
      };
      if (input.id !== undefined) {
        event.i = input.id.toLowerCase();
        event.k = 1;
      }
      if (input.event !== 'pageview') event.n = input.event;
      addPage(event, parsed);
      if (input.props != null) event.pr = admitProps(input.props, omissions);
      if (!request.isTrusted && claims)
        for (const field of keyedFields.filter(isGiven(input)))
          omissions.push({ reason: 'needs_api_key', field });
      if (unnamed) omissions.push({ reason: 'opted_out', field: 'user_id' });
      addDetails(event, input);
      addVitals(event, input);
      addVisitor(event, input, site, request);
      if (request.isTrusted) addClaims(event, input);
      return { event, dropped: omissions };
    },
  };
}

export type Admission = ReturnType<typeof createAdmission>;
