import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { SharedStore } from './shared-stores.ts';

/**
 * The stores of a run, each made by the first call and the same for all others. What they need is
 * imported only then: most tests use none.
 */
function createSharedStores() {
  const made = new Map<SharedStore, Promise<string>>();
  const stops: (() => Promise<void>)[] = [];
  async function started(server: { url: string; stop: () => Promise<void> }): Promise<string> {
    stops.push(server.stop);
    return server.url;
  }
  const makers: Record<SharedStore, () => Promise<string>> = {
    redis: async () => started(await (await import('./redis-server.ts')).startTestRedis()),
    postgres: async () => started(await (await import('./postgres.ts')).startPostgres()),
    embeddedTemplate: async () => (await import('./database-template.ts')).embeddedTemplate(),
    postgresTemplate: async () =>
      (await import('./database-template.ts')).serverTemplate(await get('postgres')),
  };
  function get(name: SharedStore): Promise<string> {
    const store = made.get(name) ?? makers[name]();
    made.set(name, store);
    return store;
  }
  async function stop(): Promise<void> {
    await Promise.allSettled(made.values());
    await Promise.all(stops.map((each) => each()));
  }
  return { get, stop };
}

/** Hands the stores of the run out to its workers, and stops them at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const stores = createSharedStores();
  const server = createServer((request, response) => {
    // Only `sharedStore` asks here.
    const name = request.url?.slice(1) as SharedStore;
    stores.get(name).then(
      (store) => response.end(store),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('sharedStoresPort', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    await stores.stop();
  };
}
