import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sections } from '../../src/surfaces/console/sections.ts';
import { freshApp, type FreshApp } from '../support/app.ts';
import { follow, type Step } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: FreshApp;
let folder = '';

beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await freshApp({ env: { NODE_ENV: 'development', ADMIN_EMAILS: 'ana@example.com' } });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

it('console.md works as written', async () => {
  const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const steps: Step[] = [{ before: /Last event/, act: () => app.applied() }];
  const runTypeScript = () =>
    Promise.reject(
      new Error('there was no TypeScript in this guide: say here what has to come of it'),
    );
  expect(
    await follow('console.md', { origin, variables: {}, steps, runTypeScript, folder }),
  ).toEqual({ ran: 7, compared: 7, notRun: [] });
});

it('console.md lists the pages of the menu in order, and those that viewers see', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../docs/guides/console.md'), 'utf8');
  const [, pages = ''] = /\n## Pages\n([^]*?)\n## /.exec(guide) ?? [];
  expect([...pages.matchAll(/^\| ([A-Z][\w ]+?) \|/gm)].map(([, name]) => name)).toEqual([
    'Page',
    ...sections.map(({ name }) => name),
  ]);
  const [, viewerPages] = /^\| Viewer \| ([^|]+) \|/m.exec(guide) ?? [];
  expect(viewerPages?.split(', ')).toEqual(
    sections.filter(({ role }) => role === 'viewer').map(({ name }) => name),
  );
});
