import type { Live } from './console-socket.ts';

const most = 100;

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

/** The event that a message tells of; undefined for other messages. */
function eventOf(data: unknown): IngestedEvent | undefined {
  if (!isObject(data) || data.type !== 'event.ingested' || !isObject(data.data)) return undefined;
  const { event, hostname, pathname, timestamp, country, browser, os, bot, skipped } = data.data;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    event: text(event) ?? '',
    hostname: text(hostname),
    pathname: text(pathname) ?? '',
    timestamp: text(timestamp) ?? '',
    country: text(country),
    browser: text(browser),
    os: text(os),
    bot: bot === true,
    skipped: Number(skipped),
  };
}

function line({
  event,
  pathname,
  timestamp,
  country,
  browser,
  os,
  bot,
  skipped,
}: IngestedEvent): HTMLElement {
  const item = document.createElement('li');
  const time = document.createElement('time');
  time.dateTime = timestamp;
  time.textContent = new Date(timestamp).toLocaleTimeString();
  const what = document.createElement('strong');
  what.textContent = event;
  item.append(time, what, pathname);
  const who = document.createElement('span');
  who.textContent = [
    country,
    browser,
    os,
    bot ? 'bot' : null,
    skipped > 0 ? `and ${skipped} more` : null,
  ]
    .filter((each) => each !== null)
    .join(' · ');
  item.append(who);
  item.className = 'new';
  return item;
}

/** Writes events into the list of a page as they come, and says when the first one has. */
export function feedEvents(live: Live): void {
  const list = document.querySelector<HTMLElement>('[data-feed]');
  const state = document.querySelector('#feed-state');
  live.onState((isConnected) => {
    if (state)
      state.textContent = isConnected
        ? 'Connected: events appear here at once.'
        : 'Not connected. Trying again …';
  });
  live.onMessage(({ channel, data }) => {
    const event = eventOf(data);
    if (!event) return;
    if (list?.dataset.feed === channel) {
      list.prepend(line(event));
      while (list.childElementCount > most) list.lastElementChild?.remove();
    }
    const waiting = document.querySelector<HTMLElement>('[data-await]');
    if (waiting?.dataset.await === channel)
      waiting.textContent = `Received just now: ${event.event} of ${event.hostname ?? ''}${event.pathname}`;
  });
}
