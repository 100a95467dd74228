import type { Socket } from 'node:net';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { textFrame } from '../../src/lib/net/websocket-frame.ts';

/**
 * The limits of the realtime benchmark: a message on /pub is sent to all subscribers, by the method
 * in the argument. `send`: ws' own `send` for each. `frame`: one frame, built once and written to
 * each socket. `corked`: the same, with each socket corked until the next tick. It prints its port,
 * and exits when stdin ends.
 */
const method = process.argv[2] ?? 'send';
const server = new WebSocketServer({
  port: 0,
  host: '127.0.0.1',
  perMessageDeflate: false,
  clientTracking: false,
});
const subscribers = new Map<WebSocket, Socket>();

const methods: Record<string, (message: Buffer) => void> = {
  send(message) {
    for (const [webSocket] of subscribers)
      if (webSocket.readyState === 1) webSocket.send(message, { binary: false });
  },
  frame(message) {
    const frame = textFrame(message.toString());
    for (const [webSocket, socket] of subscribers)
      if (webSocket.readyState === 1) socket.write(frame);
  },
  corked(message) {
    const frame = textFrame(message.toString());
    for (const [webSocket, socket] of subscribers) {
      if (webSocket.readyState !== 1) continue;
      socket.cork();
      socket.write(frame);
      process.nextTick(() => socket.uncork());
    }
  },
};

server.on('connection', (webSocket, { url, socket }) => {
  webSocket.on('error', () => undefined);
  if (url === '/pub') {
    webSocket.on('message', (message: RawData) => {
      methods[method]?.(message as Buffer);
      webSocket.send('{"ack":{}}');
    });
    return;
  }
  subscribers.set(webSocket, socket);
  webSocket.on('message', () => webSocket.send('{"ack":{}}'));
  webSocket.on('close', () => subscribers.delete(webSocket));
});
server.on('listening', () => {
  const address = server.address();
  console.log(
    JSON.stringify({ port: typeof address === 'object' && address !== null ? address.port : 0 }),
  );
});
process.stdin.on('end', () => process.exit(0)).resume();
