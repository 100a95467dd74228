import { watchClicks } from './clicks.ts';
import { listen } from './listen.ts';
import { flush, flushAtEnd, restore } from './queue.ts';
import { type Details, send } from './send.ts';
import { store } from './storage.ts';
import { leave, scheduleView, watchViews } from './views.ts';

type Call = [name: string, details?: Details];
interface Svc {
  (...call: Call): void;
  /** Calls from before this script was loaded. */
  q?: Iterable<Call>;
  /** Stops counting in this browser; with `false`, starts again. */
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
    scheduleView();
  }
});
setTimeout(() => {
  const [navigation] = performance.getEntriesByType('navigation') as { responseStatus?: number }[];
  if (navigation?.responseStatus === 404) send('not_found');
  for (const call of calls) send(...call);
  flush();
});
