import { readablePath } from '../../../lib/text/readable-path.ts';
import { element } from '../../page/elements.ts';
import type { LiveSocket } from './live-socket.ts';
import { texts } from './texts/en.ts';

const maxItems = 100;
const { feed } = texts;

interface IngestedEvent {
  event: string;
  hostname: string | null;
  pathname: string;
  timestamp: string;
  country: string | null;
  browser: string | null;
  os: string | null;
  bot: boolean;
  skipped: number;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The event that a message carries; undefined for other messages. */
function parseEvent(data: unknown): IngestedEvent | undefined {
  if (!isObject(data) || data.type !== 'event.ingested' || !isObject(data.data)) return undefined;
  const { event, hostname, pathname, timestamp, country, browser, os, bot, skipped } = data.data;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    event: text(event) ?? '',
    hostname: text(hostname),
    pathname: readablePath(text(pathname) ?? ''),
    timestamp: text(timestamp) ?? '',
    country: text(country),
    browser: text(browser),
    os: text(os),
    bot: bot === true,
    skipped: Number(skipped),
  };
}

/** A flag like that of the server's rows, or an empty place. */
const flagOf = (country: string | null): HTMLElement =>
  country !== null && /^[A-Z]{2}$/.test(country)
    ? element('img', { class: 'flag', src: `/assets/flags/${country}.svg`, alt: '' })
    : element('span', { class: 'flag' });

/** The time of day in the zone of the list, as the server writes it. */
const timeIn = (timeZone: string, at: string): string =>
  new Date(at).toLocaleTimeString('en-GB', { timeZone });

function createItem(ingested: IngestedEvent, timeZone: string): HTMLElement {
  const { event, pathname, timestamp, country, browser, os, skipped } = ingested;
  const visitor = [browser, os, skipped > 0 ? feed.skipped({ count: skipped }) : null];
  return element(
    'li',
    { class: 'new' },
    element('span', { class: 'feed-time' }, timeIn(timeZone, timestamp)),
    flagOf(country),
    element('strong', {}, event === 'pageview' ? feed.pageview : event),
    element('span', {}, pathname),
    element('span', {}, visitor.filter((each) => each !== null).join(' · ')),
  );
}

/** Says that the awaited event has come. */
function showFirst(placeholder: HTMLElement, text: string): void {
  placeholder.textContent = text;
  placeholder.parentElement?.classList.add('has-come');
}

/** Adds events to the page's list as they arrive, and shows the newest where one is awaited. */
export function feedEvents(live: LiveSocket): void {
  const list = document.querySelector<HTMLElement>('[data-feed]');
  const state = document.querySelector('#feed-state');
  live.onEvent((type) => {
    if (!state || (type !== 'connected' && type !== 'disconnected')) return;
    state.textContent = type === 'connected' ? feed.connected : feed.disconnected;
  });
  live.onMessage(({ channel, data }) => {
    const ingested = parseEvent(data);
    if (!ingested) return;
    // The counters of the page leave bots out, too.
    if (list?.dataset.feed === channel && !ingested.bot) {
      list.prepend(createItem(ingested, list.dataset.zone ?? 'UTC'));
      while (list.childElementCount > maxItems) list.lastElementChild?.remove();
    }
    const placeholder = document.querySelector<HTMLElement>('[data-await]');
    const { event, hostname, pathname } = ingested;
    if (placeholder?.dataset.await === channel)
      showFirst(placeholder, feed.received({ event, page: `${hostname ?? ''}${pathname}` }));
  });
}
