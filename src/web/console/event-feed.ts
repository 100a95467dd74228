import { readablePath } from '../../lib/text/readable-path.ts';
import { element } from '../page/elements.ts';
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

function createItem(ingested: IngestedEvent): HTMLElement {
  const { event, pathname, timestamp, country, browser, os, bot, skipped } = ingested;
  const visitor = [
    country,
    browser,
    os,
    bot ? feed.bot : null,
    skipped > 0 ? feed.skipped({ count: skipped }) : null,
  ];
  return element(
    'li',
    { class: 'new' },
    element('time', { datetime: timestamp }, new Date(timestamp).toLocaleTimeString()),
    element('strong', {}, event),
    pathname,
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
    if (list?.dataset.feed === channel) {
      list.prepend(createItem(ingested));
      while (list.childElementCount > maxItems) list.lastElementChild?.remove();
    }
    const placeholder = document.querySelector<HTMLElement>('[data-await]');
    const { event, hostname, pathname } = ingested;
    if (placeholder?.dataset.await === channel)
      showFirst(placeholder, feed.received({ event, page: `${hostname ?? ''}${pathname}` }));
  });
}
