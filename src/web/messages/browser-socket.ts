import type { Connection } from './connection.ts';
import type { Socket } from './transport.ts';

/** Opens a WebSocket of the browser. A path is resolved against the address of the page. */
export const openSocket = (url: string): Socket =>
  new WebSocket(new URL(url, location.href).href.replace(/^http/, 'ws'));

/** Drops and wakes a connection as the network and the page come and go. */
export function wakeWithPage({ drop, wake }: Connection): void {
  const dropFor = ({ type }: Event) => drop(type);
  addEventListener('online', wake);
  addEventListener('offline', dropFor);
  document.addEventListener('visibilitychange', () => document.hidden || wake());
  // An open socket keeps a page out of the back/forward cache, where its timers are suspended.
  addEventListener('pagehide', dropFor);
  addEventListener('pageshow', wake);
}
