import proxyAddress from '@fastify/proxy-addr';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../../../lib/net/ip.ts';

/** Maximum number of open connections of one address, including WebSockets. */
const maxConnectionsPerAddress = 1200;

/**
 * Closes new connections of an address (an IPv4 address or IPv6 /64) that has too many, before
 * anything is read, because a process can only have a limited number of connections.
 * `trustedProxies`, in the format of TRUST_PROXY, carry the connections of many clients and are
 * exempt.
 */
export function limitConnections(
  server: Server,
  trustedProxies: readonly string[],
  max = maxConnectionsPerAddress,
): void {
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  const connectionCounts = new Map<string, number>();
  const counted = new WeakSet<Socket>();

  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress;
    // A socket whose upgrade was ignored emits `connection` a second time.
    if (address === undefined || counted.has(socket) || isTrusted(address, 0)) return;
    const client = clientKey(address);
    const count = (connectionCounts.get(client) ?? 0) + 1;
    if (count > max) {
      socket.destroy();
      return;
    }
    counted.add(socket);
    connectionCounts.set(client, count);
    socket.once('close', () => {
      const left = (connectionCounts.get(client) ?? 1) - 1;
      if (left > 0) connectionCounts.set(client, left);
      else connectionCounts.delete(client);
    });
  });
}
