import { origin, settings } from './settings.ts';
import { store } from './storage.ts';

const target = `${origin}/analytics/batch/`;
const keeps =
  'keep' in settings && !(navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;

/** Events as JSON: what can't be written fails where it is said, and not here, again and again. */
let waiting: string[] = [];
let isSending = false;
let failures = 0;

// Throws where the storage is full: nothing may depend on what comes after it.
function keep(): void {
  if (keeps) store.svc_q = JSON.stringify(waiting);
}

const bodyOf = (events: string[]): string =>
  `{"events":[${events.join()}],"sent_at":${Date.now()}}`;

/** Sends what waits, and retries with pauses up to a minute: ids make each event count once. */
export function flush(): void {
  const events = waiting.slice(0, 50);
  if (isSending || !events[0]) return;
  isSending = true;
  void fetch(target, { method: 'POST', body: bodyOf(events), keepalive: true })
    .then(
      ({ status }) => status < 500 && status !== 429,
      () => false,
    )
    .then((hasArrived) => {
      isSending = false;
      failures = hasArrived ? 0 : failures + 1;
      setTimeout(flush, Math.min(2 ** failures - 1, 60) * 1000);
      if (hasArrived) waiting = waiting.filter((each) => !events.includes(each));
      keep();
    });
}

/** Sends what waits in a way that survives the end of the page. */
export function flushAtEnd(): void {
  // Whether it arrives nobody can tell: what is kept is sent again by the next page.
  if (waiting[0] && navigator.sendBeacon(target, bodyOf(waiting)) && !keeps) waiting = [];
  flush();
}

/** Takes an event, as JSON. */
export function enqueue(event: string): void {
  setTimeout(flush);
  waiting.push(event);
  keep();
}

/** Takes what an earlier page could not send. */
export function restore(): void {
  if (keeps) waiting = JSON.parse(store.svc_q ?? '[]') as string[];
}
