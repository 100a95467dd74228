import { freshApp, type FreshAppOptions } from '../../support/app.ts';
import { centrifuge, listen } from '../../support/sockets.ts';
import { bystander } from './healthy.ts';
import { publish, subscribeTo } from './official-client.ts';
import { connected, plain } from './plain-client.ts';
import { handshakeOf, raw, rawConnected, tcp } from './raw-client.ts';

type WithoutFirst<Parameters extends unknown[]> = Parameters extends [unknown, ...infer Rest]
  ? Rest
  : never;
type Given<F extends (...given: never[]) => unknown> = WithoutFirst<Parameters<F>>;

/** Gives the tests of a file a service of its own, and clients of its sockets. */
export async function useSocketService(options: FreshAppOptions = {}) {
  const app = await freshApp(options);
  const port = await listen(app);
  return {
    app,
    port,
    /** The number of open sockets. */
    count: () => app.services.realtime.clients.count(),
    publish: (...given: Given<typeof publish>) => publish(app, ...given),
    plain: (...given: Given<typeof plain>) => plain(port, ...given),
    connected: (...given: Given<typeof connected>) => connected(port, ...given),
    centrifuge: (...given: Given<typeof centrifuge>) => centrifuge(port, ...given),
    subscribeTo: (...given: Given<typeof subscribeTo>) => subscribeTo(port, ...given),
    tcp: () => tcp(port),
    raw: (...given: Given<typeof raw>) => raw(port, ...given),
    rawConnected: (...given: Given<typeof rawConnected>) => rawConnected(port, ...given),
    handshake: (...given: Given<typeof handshakeOf>) => handshakeOf(port, ...given),
    bystander: () => bystander(app, port),
  };
}
