import { origin, settings } from './settings.ts';
import { store } from './storage.ts';

const endpoint = `${origin}/analytics/batch/`;
const isPersistent =
  'keep' in settings && !(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;

/** Events as JSON, so that a bad event throws in the call of `send` and not in every flush. */
let waiting: string[] = [];
let isSending = false;
let failures = 0;

// Throws if the storage is full: nothing may depend on code that follows a call.
function persist(): void {
  if (isPersistent) store.svc_q = JSON.stringify(waiting);
}

const bodyOf = (events: string[]): string =>
  `{"events":[${events.join()}],"sent_at":${Date.now()}}`;

/** Sends waiting events, with retries after up to a minute: by its id each event counts once. */
export function flush(): void {
  const events = waiting.slice(0, 50);
  if (isSending || !events[0]) return;
  isSending = true;
  void fetch(endpoint, { method: 'POST', body: bodyOf(events), keepalive: true })
    .then(
      ({ status }) => status < 500 && status !== 429,
      () => false,
    )
    .then((hasArrived) => {
      isSending = false;
      failures = hasArrived ? 0 : failures + 1;
      setTimeout(flush, Math.min(2 ** failures - 1, 60) * 1000);
      if (hasArrived) waiting = waiting.filter((each) => !events.includes(each));
      persist();
    });
}

/** Sends waiting events in a way that survives the end of the page. */
export function flushAtEnd(): void {
  // The result is unknown: stored events are sent again by the next page.
  if (waiting[0] && navigator.sendBeacon(endpoint, bodyOf(waiting)) && !isPersistent) waiting = [];
  flush();
}

/** Queues an event, given as JSON. */
export function enqueue(event: string): void {
  setTimeout(flush);
  waiting.push(event);
  persist();
}

/** Restores the events that an earlier page could not send. */
export function restore(): void {
  if (isPersistent) waiting = JSON.parse(store.svc_q ?? '[]') as string[];
}
