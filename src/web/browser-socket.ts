import type { OpenSocket } from './messages-link.ts';

/** A WebSocket of the browser, for an address below that of the page. */
export const openSocket: OpenSocket = (url, { opened, received, closed }) => {
  const socket = new WebSocket(new URL(url, location.href).href.replace(/^http/, 'ws'));
  socket.onopen = opened;
  socket.onmessage = ({ data }) => received(String(data));
  socket.onclose = ({ code, reason }) => closed(code, reason);
  return socket;
};
