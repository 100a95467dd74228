import type { Campaign } from '../../links/campaign.ts';
import type { PageUrl } from '../../enrichment/page-url.ts';
import { isProgram } from '../../enrichment/user-agent.ts';
import { measurements } from '../../store/events.ts';
import type { JournalEvent } from '../../store/journal-record.ts';
import type { EventInput } from '../schemas.ts';

/** A field that was dropped from a stored event. */
export interface DroppedField {
  reason: string;
  field?: string;
}

export interface Page extends PageUrl {
  campaign: Campaign | undefined;
}

const maxProps = 30;
const maxKeyLength = 300;
const maxValueLength = 2000;

function toText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** Returns the properties to store. Adds the others to `dropped`. */
export function admitProps(
  props: Record<string, unknown>,
  dropped: DroppedField[],
): Record<string, string> {
  const stored: [string, string][] = [];
  for (const [key, value] of Object.entries(props)) {
    if (value === null) continue;
    const text = toText(value);
    const field = `props.${key.slice(0, 60)}`;
    if (text === undefined) dropped.push({ reason: 'prop_not_flat', field });
    else if (stored.length === maxProps) dropped.push({ reason: 'props_over_limit', field });
    else if (key.length > maxKeyLength || text.length > maxValueLength)
      dropped.push({ reason: 'prop_too_long', field });
    else stored.push([key, text]);
  }
  return Object.fromEntries(stored);
}

const decimalText = (amount: number | string): string =>
  typeof amount === 'number' ? amount.toFixed(4) : amount;

export function addPage(event: JournalEvent, { hostname, query, campaign }: Page): void {
  if (hostname !== null) event.h = hostname;
  if (query !== null) event.q = query;
  if (campaign !== undefined) event.m = campaign;
}

export function addDetails(event: JournalEvent, input: EventInput): void {
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

export function addVitals(event: JournalEvent, { lcp, inp, fcp, ttfb, cls }: EventInput): void {
  if (lcp == null && inp == null && fcp == null && ttfb == null && cls == null) return;
  event.wv = [lcp ?? null, inp ?? null, fcp ?? null, ttfb ?? null, cls ?? null];
}

/**
 * Adds what an import says about the client: country, bot, browser, system and device. Without a
 * user agent, that of a program which sends the events is not that of a bot.
 */
export function addImportedClient(
  event: JournalEvent,
  input: EventInput,
  senderAgent: string,
): void {
  const { country, bot, browser, os, device } = input;
  if (country != null) event.c = country;
  if (bot === true) event.b = 1;
  else if (input.user_agent == null && isProgram(senderAgent)) event.b = 0;
  const named = browser ?? os ?? device;
  if (named == null && (input.visitor_id == null || input.user_agent != null)) return;
  event.ag = [
    browser ?? null,
    input.browser_version ?? null,
    os ?? null,
    input.os_version ?? null,
    device ?? null,
  ];
}
