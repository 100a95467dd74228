import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listen } from '../support/sockets.ts';
import { adminKey, asAdmin, type FreshApp, freshApp } from '../support/app.ts';
import { codeFor, post } from '../support/sign-in.ts';
import { follow, type Step } from './reader.ts';
import { requireCurl } from './shell.ts';
import { loadTypeScript, typeErrors } from './typescript.ts';

let app: FreshApp;
let origin = '';
let folder = '';

beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await freshApp();
  await app.services.queues.start();
  origin = `http://127.0.0.1:${await listen(app)}`;
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

it('getting-started.md works as written', async () => {
  const steps: Step[] = [
    { before: /analytics\/sites/, act: () => app.applied() },
    {
      before: /otp\/verify/,
      act: async (known) => {
        known.CODE = await codeFor(app, 'ana@example.com');
      },
    },
  ];
  const runTypeScript = async (source: string) => {
    expect(await typeErrors(source)).toEqual([]);
    const { track } = await loadTypeScript<{
      track: (event: string, url: string) => Promise<{ accepted: number }>;
    }>(source, origin);
    expect(await track('signup', '/welcome')).toMatchObject({ accepted: 1 });
  };
  expect(
    await follow('getting-started.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps,
      runTypeScript,
      folder,
    }),
  ).toEqual({
    ran: 8,
    compared: 7,
    notRun: ['it starts the service that everything below is sent to'],
  });
});

it('errors-and-limits.md works as written', async () => {
  // The guide lists all keys, so the key of the other guide has to go.
  const keys = await app.http.inject({ url: '/api/v1/api-keys', headers: asAdmin });
  for (const { id } of keys.json<{ data: { id: string }[] }>().data)
    await app.stores.db.deleteFrom('api_keys').where('id', '=', id).execute();
  for (const name of ['First', 'Second'])
    await post(app, '/api/v1/api-keys', { name, scopes: ['analytics:read'] }, asAdmin);
  const runTypeScript = () =>
    Promise.reject(
      new Error('there was no TypeScript in this guide: say here what has to come of it'),
    );
  expect(
    await follow('errors-and-limits.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [],
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 5, compared: 5, notRun: [] });
});
