import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Endpoint } from '../../../areas/realtime/channels.ts';
import { textFrame } from '../../../lib/net/websocket-frame.ts';
import { type DisconnectName, disconnects } from '../codes.ts';
import type { Identity } from './identities.ts';

/** The members of a WebSocket of `ws` that are used. */
type Connection = Pick<
  WebSocket,
  | 'on'
  | 'removeAllListeners'
  | 'readyState'
  | 'close'
  | 'terminate'
  | 'pause'
  | 'resume'
  | 'isPaused'
>;

export interface Subscription {
  channel: string;
  /** True when the client asked for joins and leaves. */
  wantsJoinLeave: boolean;
  /** True when the server made the subscription, not a command. */
  isServerSide: boolean;
  /** Frames buffered until the client knows of the subscription; undefined afterwards. */
  bufferedFrames: Buffer[] | undefined;
}

/** One socket: a plain object without methods, because a process has thousands of them. */
export interface Client {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly webSocket: Connection;
  readonly socket: Socket;
  /** The key of limits per address. */
  readonly address: string;
  /** False when its URL asked for the unidirectional protocol. */
  readonly canSend: boolean;
  /** `new` until the client is connected. */
  mode: 'new' | 'bidi' | 'uni';
  /** True once the connect reply or push is sent. Nothing is sent before. */
  isConnected: boolean;
  identity: Identity;
  readonly subscriptions: Map<string, Subscription>;
  /** The number of subscriptions in progress. */
  pendingSubscriptions: number;
  isClosed: boolean;
  isCorked: boolean;
  /** True after a ping until its pong. */
  awaitsPong: boolean;
  /** The token bucket of commands, as of `tokensAt` (Unix ms). */
  tokens: number;
  tokensAt: number;
  errorCount: number;
  /** Bytes of queued commands. */
  queuedBytes: number;
  /** Settles when the last queued command has been handled. */
  work: Promise<void> | undefined;
}

/** A socket after its handshake. */
export interface NewSocket extends Pick<
  Client,
  'endpoint' | 'webSocket' | 'socket' | 'address' | 'identity'
> {
  /** The channels from a URL that asks for the unidirectional protocol; else undefined. */
  uniChannels: readonly string[] | undefined;
}

/** The size of the token bucket: commands that a client may send at once. */
export const commandBurst = 300;

export const createClient = (socket: NewSocket, now: number): Client => ({
  id: randomUUID(),
  endpoint: socket.endpoint,
  webSocket: socket.webSocket,
  socket: socket.socket,
  address: socket.address,
  canSend: socket.uniChannels === undefined,
  mode: 'new',
  isConnected: false,
  identity: socket.identity,
  subscriptions: new Map(),
  pendingSubscriptions: 0,
  isClosed: false,
  isCorked: false,
  awaitsPong: false,
  tokens: commandBurst,
  tokensAt: now,
  errorCount: 0,
  queuedBytes: 0,
  work: undefined,
});

/** The maximum number of buffered bytes per socket. */
const maxWriteQueue = 1024 * 1024;

const open = 1;
const closeTimeoutMs = 5000;

export const isOpen = ({ webSocket, isClosed }: Client): boolean =>
  !isClosed && webSocket.readyState === open;

/** Writes an encoded frame. Returns false when the client reads too slowly. */
export function writeFrame(client: Client, frame: Buffer): boolean {
  if (!isOpen(client)) return true;
  client.socket.write(frame);
  return client.socket.writableLength <= maxWriteQueue;
}

/** Writes a message. Messages of one turn of the event loop are sent in one write. */
export function send(client: Client, text: string): void {
  if (!isOpen(client)) return;
  const { socket } = client;
  if (!client.isCorked) {
    client.isCorked = true;
    socket.cork();
    process.nextTick(() => {
      client.isCorked = false;
      socket.uncork();
    });
  }
  socket.write(textFrame(text));
}

/** Closes the socket with a code and reason. Terminates it if the client does not close too. */
export function disconnect(client: Client, name: DisconnectName): void {
  if (!isOpen(client)) return;
  const { code, reason } = disconnects[name];
  if (client.mode === 'uni') send(client, JSON.stringify({ disconnect: { code, reason } }));
  client.webSocket.close(code, reason);
  setTimeout(() => client.webSocket.terminate(), closeTimeoutMs).unref();
}
