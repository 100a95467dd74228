import { enqueue } from './queue.ts';
import { settings } from './settings.ts';
import { store } from './storage.ts';

/** Optional fields of an event. */
export interface Details {
  /** At most 30 values. */
  props?: Record<string, string | number | boolean>;
  revenue?: { amount: number | string; currency: string };
  /** Replaces the page's own address. */
  url?: string;
  /** false: it does not end a bounce. */
  interactive?: boolean;
  [name: string]: unknown;
}

const uuid = (): string =>
  '00000000-0000-4000-8000-000000000000'.replace(/[08]/g, (digit) =>
    (+digit ^ ((Math.random() * 16) >> (+digit / 4))).toString(16),
  );

/** The address that is counted; with `data-hash` the fragment is part of the path. */
export const address = (): string =>
  'hash' in settings ? location.href.replace(/\/?#\/?/, '/') : location.href.replace(/#.*/, '');

/** Sends an event, unless the visitor has opted out. Throws for details that JSON can't hold. */
export function send(event: string, details?: Details): void {
  if (store.svc_off) return;
  enqueue(
    JSON.stringify({
      event,
      id: uuid(),
      site_id: settings.site ?? location.hostname,
      url: address(),
      referrer: document.referrer,
      title: document.title,
      screen: `${screen.width}x${screen.height}`,
      timestamp: Date.now(),
      ...details,
    }),
  );
}
