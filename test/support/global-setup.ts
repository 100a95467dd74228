import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import type { SharedStore } from './shared-stores.ts';

/**
 * Creates the shared stores of a run, each on first use. Their modules are imported only then,
 * because most tests use none.
 */
function createSharedStores() {
  const stores = new Map<SharedStore, Promise<string>>();
  const stops: (() => Promise<void>)[] = [];
  async function started(server: { url: string; stop: () => Promise<void> }): Promise<string> {
    stops.push(server.stop);
    return server.url;
  }
  const makers: Record<SharedStore, () => Promise<string>> = {
    redis: async () => started(await (await import('./redis-server.ts')).startTestRedis()),
    postgres: async () => {
      const copyOf = await (await import('./database-template.ts')).clusterTemplate();
      return started(await (await import('./postgres.ts')).startPostgres({ copyOf }));
    },
    embeddedTemplate: async () => (await import('./database-template.ts')).embeddedTemplate(),
  };
  function get(name: SharedStore): Promise<string> {
    const store = stores.get(name) ?? makers[name]();
    stores.set(name, store);
    return store;
  }
  async function stop(): Promise<void> {
    await Promise.allSettled(stores.values());
    await Promise.all(stops.map((each) => each()));
  }
  return { get, stop };
}

/** Nearly every slow test needs these: they start while the workers load. */
const { TEST_SUITE, TEST_STORES } = process.env;
const early: readonly SharedStore[] =
  TEST_SUITE !== 'slow' ? [] : TEST_STORES === 'postgres' ? ['redis', 'postgres'] : ['redis'];

/** Serves the stores of the run to its workers, and stops them at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const shared = createSharedStores();
  // The test that needs a store learns why it did not start.
  for (const name of early) shared.get(name).catch(() => undefined);
  const server = createServer((request, response) => {
    // Only `sharedStore` sends requests here.
    const name = request.url?.slice(1) as SharedStore;
    shared.get(name).then(
      (store) => response.end(store),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  project.provide('sharedStoresPort', (server.address() as AddressInfo).port);
  return async () => {
    server.close();
    await shared.stop();
  };
}
