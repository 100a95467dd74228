import { watchClicks } from './svc-clicks.ts';
import { listen } from './svc-listen.ts';
import { flush, flushAtEnd, restore } from './svc-queue.ts';
import { type Details, send } from './svc-send.ts';
import { store } from './svc-storage.ts';
import { leave, viewSoon, watchViews } from './svc-views.ts';

type Call = [name: string, details?: Details];
interface Svc {
  (...call: Call): void;
  /** Calls from before this script was there. */
  q?: Iterable<Call>;
  /** Nothing is counted in this browser any more, or again. */
  ignore?: (isOn?: boolean) => void;
}
declare global {
  interface Window {
    svc?: Svc;
  }
}

const calls = window.svc?.q ?? [];
window.svc = send;
window.svc.ignore = (isOn = true) => {
  store.svc_off = isOn ? '1' : '';
};

restore();
watchViews();
watchClicks();
listen(document, 'visibilitychange', () => {
  if (document.hidden) {
    leave();
    flushAtEnd();
  } else {
    viewSoon();
  }
});
setTimeout(() => {
  const [navigation] = performance.getEntriesByType('navigation') as { responseStatus?: number }[];
  if (navigation?.responseStatus === 404) send('not_found');
  for (const call of calls) send(...call);
  flush();
});
