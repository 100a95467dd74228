import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** The loopback port at which the run's global setup hands out what tests share. */
    sharedStoresPort: number;
  }
}

/**
 * What the tests of a run share, each made when the first test asks for it: the URLs of a
 * redis-server and a PostgreSQL server, the folder of an embedded database that has all tables, and
 * the name of such a database on the PostgreSQL server.
 */
export type SharedStore = 'redis' | 'postgres' | 'embeddedTemplate' | 'postgresTemplate';

/** True when the run is on a PostgreSQL server in place of the embedded database. */
export const isOnPostgres = process.env.TEST_STORES === 'postgres';

/** Asks the process of the run for a store that all its workers share. */
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
