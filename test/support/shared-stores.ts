import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The loopback port on which the run's global setup serves the shared stores. */
    sharedStoresPort: number;
  }
}

/**
 * Stores that the tests of a run share, each created on first use: the URLs of a redis-server and a
 * PostgreSQL server, and the folder of an embedded database with all tables.
 */
export type SharedStore = 'redis' | 'postgres' | 'embeddedTemplate';

/** True when the run uses a PostgreSQL server instead of the embedded database. */
export const isOnPostgres = process.env.TEST_STORES === 'postgres';

/** Asks the run's main process for a shared store. Returns its URL, folder or name. */
export async function sharedStore(name: SharedStore): Promise<string> {
  const port = inject('sharedStoresPort');
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: `/${name}`, agent: false }, (response) => {
      text(response).then((answer) => {
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(answer));
      }, reject);
    }).on('error', reject);
  });
}
