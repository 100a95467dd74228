import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { Endpoint } from '../../../areas/realtime/channels.ts';
import { textFrame } from '../../../lib/net/websocket-frame.ts';
import { type DisconnectName, disconnects } from '../codes.ts';
import type { Identity } from './identities.ts';

/** What is used of a WebSocket of `ws`. */
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
  /** The client wants to know who joins and leaves. */
  wantsJoinLeave: boolean;
  /** Made by the server, not by a command. */
  isServerSide: boolean;
  /** Frames held back until the client knows of the subscription; undefined afterwards. */
  held: Buffer[] | undefined;
}

/** One socket. Thousands are held at once: a plain record, without methods of its own. */
export interface Client {
  readonly id: string;
  readonly endpoint: Endpoint;
  readonly webSocket: Connection;
  readonly socket: Socket;
  /** The address that limits count. */
  readonly address: string;
  /** False when it asked for the unidirectional protocol in its URL. */
  readonly canSend: boolean;
  /** `new` until it sends `connect`. */
  mode: 'new' | 'bidi' | 'uni';
  /** The connect reply or push was sent: nothing goes out before that. */
  isConnected: boolean;
  identity: Identity;
  readonly subscriptions: Map<string, Subscription>;
  /** How many subscriptions are being made. */
  pending: number;
  isClosed: boolean;
  isCorked: boolean;
  /** A ping was sent and not answered yet. */
  awaitsPong: boolean;
  /** The token bucket of commands, as of `tokensAt` (Unix ms). */
  tokens: number;
  tokensAt: number;
  errorCount: number;
  /** Bytes of commands that wait to be handled. */
  queuedBytes: number;
  /** The handling of the last command. */
  work: Promise<void> | undefined;
}

/** A socket after its handshake. */
export interface NewSocket extends Pick<
  Client,
  'endpoint' | 'webSocket' | 'socket' | 'address' | 'identity'
> {
  /** The channels of a client that asks for the unidirectional protocol. */
  uniChannels: readonly string[] | undefined;
}

/** Commands that a client may send at once. */
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
  pending: 0,
  isClosed: false,
  isCorked: false,
  awaitsPong: false,
  tokens: commandBurst,
  tokensAt: now,
  errorCount: 0,
  queuedBytes: 0,
  work: undefined,
});

/** Bytes that may wait to be written to one socket. */
const maxWriteQueue = 1024 * 1024;

const open = 1;
const closeTimeoutMs = 5000;

export const isOpen = ({ webSocket, isClosed }: Client): boolean =>
  !isClosed && webSocket.readyState === open;

/** Writes an encoded frame. False when the client reads too slowly. */
export function writeFrame(client: Client, frame: Buffer): boolean {
  if (!isOpen(client)) return true;
  client.socket.write(frame);
  return client.socket.writableLength <= maxWriteQueue;
}

/** Writes a message. Those of one turn of the event loop go out together. */
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

/** Closes the socket with a code and reason; by force when the client does not close its side. */
export function disconnect(client: Client, name: DisconnectName): void {
  if (!isOpen(client)) return;
  const { code, reason } = disconnects[name];
  if (client.mode === 'uni') send(client, JSON.stringify({ disconnect: { code, reason } }));
  client.webSocket.close(code, reason);
  setTimeout(() => client.webSocket.terminate(), closeTimeoutMs).unref();
}
