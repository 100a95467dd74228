import type { Connection } from './connection.ts';
import type { Socket } from './transport.ts';

/** Opens a WebSocket of the browser. A path is resolved against the address of the page. */
export const openSocket = (url: string): Socket =>
  new WebSocket(new URL(url, location.href).href.replace(/^http/, 'ws'));

/** Drops and wakes a connection with the network and the page. */
export function wakeWithPage({ drop, wake }: Connection): void {
  const dropFor = ({ type }: Event) => drop(type);
  addEventListener('online', wake);
  addEventListener('offline', dropFor);
  document.addEventListener('visibilitychange', () => document.hidden || wake());
  // A page with an open socket can't be kept for the way back; its timers stand still with it.
  addEventListener('pagehide', dropFor);
  addEventListener('pageshow', wake);
}
