import { expect, it, vi } from 'vitest';
import { TestClient } from '../support/client.ts';
import { useGuideService } from './guide-service.ts';
import { readGuide } from './reader.ts';

/** The plans that signup.md defines. */
const plansOfGuide = async (): Promise<string> =>
  (await readGuide('signup.md')).flatMap(
    ({ text }) => /plans\.json <<'END'\n([^]*?)\nEND\n/.exec(text)?.[1] ?? [],
  )[0] ?? '(missing)';

const service = await useGuideService({
  own: async () => ({ env: { PLANS: await plansOfGuide() } }),
});
const recipient = 'ana@example.com';
const mailTo = (to: string) => new TestClient(service.app).mailTo(to);

it('deliverability-and-geoip.md works as written', async () => {
  expect(await service.follow('deliverability-and-geoip.md')).toEqual({
    ran: 9,
    compared: 8,
    notRun: [],
  });
  for (const [query, deliverable, name] of [
    ['country=NL&postal_code=1012AB', true, 'Amsterdam'],
    ['country=CA&postal_code=M5V3L9', true, 'Canada East'],
    ['country=GB&postal_code=ZE10AA', false, 'Not to the islands'],
  ] as const) {
    const { body } = await new TestClient(service.app).get(`/api/v1/deliverability?${query}`);
    expect(body).toMatchObject({ deliverable, zone: { name } });
  }
});

it('signup.md works as written', async () => {
  const tokenOfMail = async (known: Record<string, string>) => {
    const { text } = await mailTo(recipient);
    known.TOKEN = /\/signup\/confirm\?token=(\S+)/.exec(text)?.[1] ?? '(missing)';
  };
  const steps = [{ before: /signup\/confirm/, act: tokenOfMail }];
  expect(await service.follow('signup.md', { steps })).toEqual({ ran: 5, compared: 5, notRun: [] });
});

it('site-data.md works as written', async () => {
  expect(await service.follow('site-data.md', { variables: {} })).toEqual({
    ran: 6,
    compared: 1,
    notRun: ['it downloads a program; test/contract/client-types.slow.test.ts runs it'],
  });
});

it('waitlist.md works as written', async () => {
  const { outbox } = service.app.services;
  const emails = () => outbox.list(recipient);
  const tokenOfMail = async (known: Record<string, string>) => {
    const found = () => /\/waitlist\/verify\?token=(\S+)/.exec(emails()[0]?.text ?? '')?.[1];
    await vi.waitFor(() => expect(found()).toBeDefined(), { timeout: 30_000 });
    known.LINK_TOKEN = found() ?? '(missing)';
  };
  const invitation = () =>
    vi.waitFor(() => expect(emails()[0]?.text).toContain('/signup'), { timeout: 30_000 });
  const { db } = service.app.stores;
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
  expect(await service.follow('waitlist.md', { steps })).toEqual({
    ran: 10,
    compared: 10,
    notRun: ['a browser runs it, test/areas/waitlist/browser.slow.test.ts'],
  });
});

it('contact.md works as written', async () => {
  expect(await service.follow('contact.md')).toEqual({ ran: 5, compared: 5, notRun: [] });
  await mailTo('ada@example.com');
});

it('nfc-tags.md works as written', async () => {
  expect(await service.follow('nfc-tags.md')).toEqual({ ran: 10, compared: 10, notRun: [] });
});

it('qr-codes.md works as written', async () => {
  const { db } = service.app.stores;
  const created = () =>
    vi.waitFor(
      async () => {
        const query = db.selectFrom('qr_batches').select('id');
        expect(await query.where('finished_at', 'is not', null).execute()).toHaveLength(1);
      },
      { timeout: 30_000 },
    );
  const steps = [
    { before: /stats\?period/, act: () => service.app.applied() },
    { before: /qr-batches\/\$ID"/, act: created },
  ];
  const reading = await service.follow('qr-codes.md', { steps });
  expect(reading).toEqual({ ran: 17, compared: 15, notRun: [] });
});
