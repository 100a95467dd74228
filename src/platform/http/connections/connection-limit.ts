import proxyAddress from '@fastify/proxy-addr';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../../../lib/net/ip.ts';

/** Connections that one address may hold open, WebSockets included. */
const maxConnectionsPerAddress = 1200;

/**
 * Closes further connections of an address (an IPv4 address, an IPv6 /64) that holds too many,
 * before anything is read: every process has a limited number of them, and they are there for
 * everybody. `trustedProxies` bring the connections of many people and have no such limit; they are
 * named as in TRUST_PROXY.
 */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  max = maxConnectionsPerAddress,
): void {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  const held = new Map<string, number>();
  const counted = new WeakSet<Socket>();

  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // A socket that asked for another protocol in vain is told of again.
    if (address === undefined || counted.has(socket) || isTrusted(address, 0)) return;
    const client = clientKey(address);
    const count = (held.get(client) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    counted.add(socket);
    held.set(client, count);
    socket.once('close', () => {
      const left = (held.get(client) ?? 1) - 1;
      if (left > 0) held.set(client, left);
      else held.delete(client);
    });
  });
}
