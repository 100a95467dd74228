import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { adminKey, freshApp, type FreshApp } from '../support/app.ts';
import { follow, readGuide } from './reader.ts';
import { requireCurl } from './shell.ts';

let app: FreshApp;
let folder = '';
let origin = '';

/** The plans that signup.md defines. */
const plansOfGuide = async (): Promise<string> =>
  (await readGuide('signup.md')).flatMap(
    ({ text }) => /plans\.json <<'END'\n([^]*?)\nEND\n/.exec(text)?.[1] ?? [],
  )[0] ?? '(missing)';

beforeAll(async () => {
  await requireCurl();
  folder = await mkdtemp(join(tmpdir(), 'guide-'));
  app = await freshApp({ env: { PLANS: await plansOfGuide() } });
  await app.services.queues.start();
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
}, 60_000);
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const runTypeScript = () =>
  Promise.reject(
    new Error('there was no TypeScript in this guide: say here what has to come of it'),
  );

it('deliverability-and-geoip.md works as written', async () => {
  expect(
    await follow('deliverability-and-geoip.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [],
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 9, compared: 8, notRun: [] });
  const check = async (query: string) =>
    (await app.http.inject(`/api/v1/deliverability?${query}`)).json<{
      deliverable: boolean | null;
      zone: { name: string } | null;
    }>();
  expect(await check('country=NL&postal_code=1012AB')).toMatchObject({
    deliverable: true,
    zone: { name: 'Amsterdam' },
  });
  expect(await check('country=CA&postal_code=M5V3L9')).toMatchObject({
    deliverable: true,
    zone: { name: 'Canada East' },
  });
  expect(await check('country=GB&postal_code=ZE10AA')).toMatchObject({
    deliverable: false,
    zone: { name: 'Not to the islands' },
  });
});

it('signup.md works as written', async () => {
  const tokenOfMail = async (known: Record<string, string>) => {
    const mails = () => app.services.outbox.list('ana@example.com');
    await vi.waitFor(() => expect(mails()).toHaveLength(1), { timeout: 10_000 });
    known.TOKEN = /\/signup\/confirm\?token=(\S+)/.exec(mails()[0]?.text ?? '')?.[1] ?? '(missing)';
  };
  const steps = [{ before: /signup\/confirm/, act: tokenOfMail }];
  expect(
    await follow('signup.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps,
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 5, compared: 5, notRun: [] });
});

it('site-data.md works as written', async () => {
  expect(
    await follow('site-data.md', { origin, variables: {}, steps: [], runTypeScript, folder }),
  ).toEqual({ ran: 6, compared: 1, notRun: [] });
});

it('waitlist.md works as written', async () => {
  const mails = () => app.services.outbox.list('ana@example.com');
  const tokenOfMail = async (known: Record<string, string>) => {
    const found = () => /\/waitlist\/verify\?token=(\S+)/.exec(mails()[0]?.text ?? '')?.[1];
    await vi.waitFor(() => expect(found()).toBeDefined(), { timeout: 30_000 });
    known.LINK_TOKEN = found() ?? '(missing)';
  };
  const invitation = () =>
    vi.waitFor(() => expect(mails()[0]?.text).toContain('/signup'), { timeout: 30_000 });
  const { db } = app.stores;
  const sent = () =>
    vi.waitFor(
      async () => {
        const query = db.selectFrom('waitlist_entries').select('id');
        expect(await query.where('invited_at', 'is not', null).execute()).toHaveLength(1);
      },
      { timeout: 30_000 },
    );
  const steps = [
    { before: /waitlist\/verify/, act: tokenOfMail },
    { before: /waitlist\/batches/, act: () => Promise.all([invitation(), sent()]) },
  ];
  expect(
    await follow('waitlist.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps,
      runTypeScript,
      folder,
    }),
  ).toEqual({
    ran: 10,
    compared: 10,
    notRun: ['a browser runs it, test/areas/waitlist/browser.slow.test.ts'],
  });
});

it('contact.md works as written', async () => {
  expect(
    await follow('contact.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [],
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 5, compared: 5, notRun: [] });
  await vi.waitFor(() => expect(app.services.outbox.list('ada@example.com')).toHaveLength(1), {
    timeout: 10_000,
  });
});

it('nfc-tags.md works as written', async () => {
  expect(
    await follow('nfc-tags.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [],
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 10, compared: 10, notRun: [] });
});

it('qr-codes.md works as written', async () => {
  const { db } = app.stores;
  const created = () =>
    vi.waitFor(
      async () => {
        const query = db.selectFrom('qr_batches').select('id');
        expect(await query.where('finished_at', 'is not', null).execute()).toHaveLength(1);
      },
      { timeout: 30_000 },
    );
  expect(
    await follow('qr-codes.md', {
      origin,
      variables: { ADMIN_API_KEY: adminKey },
      steps: [
        { before: /stats\?period/, act: () => app.applied() },
        { before: /qr-batches\/\$ID"/, act: created },
      ],
      runTypeScript,
      folder,
    }),
  ).toEqual({ ran: 16, compared: 14, notRun: [] });
});
