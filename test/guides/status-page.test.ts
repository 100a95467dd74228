import { systemActor } from '../../src/platform/http/requests/request-actor.ts';
import { expect, it, vi } from 'vitest';
import type { OutboxMessage } from '../../src/areas/comms/outbox.ts';
import { TestClient } from '../support/client.ts';
import { useGuideService } from './guide-service.ts';
import type { Step } from './reader.ts';

const subscriber = 'ana@example.com';
// With a frozen clock, components exist for no time and have no uptime.
const now = Date.UTC(2030, 10, 2, 9);
const service = await useGuideService({ own: { clock: { now: () => now } } });

const tokenIn = (text: string, path: string) =>
  new RegExp(`/status/${path}\\?token=(\\S+)`).exec(text)?.[1] ?? '(missing)';

const mailOf = (subject: string): Promise<OutboxMessage> =>
  vi.waitFor(
    () => {
      const emails = service.app.services.outbox.list(subscriber);
      return emails.find((mail) => mail.subject?.includes(subject)) ?? expect.fail('no message');
    },
    { timeout: 10_000 },
  );

/** Creates an incident and sets the token from the email, as the guide assumes. */
async function setTokenFromUpdate(variables: Record<string, string>): Promise<void> {
  const { incidents } = service.app.services.status;
  const { id } = await incidents.create(
    { name: 'Something new', status: 'investigating', body: 'x', components: [] },
    systemActor,
  );
  variables.TOKEN = tokenIn((await mailOf('Something new')).text, 'unsubscribe');
  await incidents.delete(id, systemActor);
}

it('status-page.md works as written', async () => {
  const steps: Step[] = [
    {
      before: /status\/confirm/,
      act: async (known) => {
        known.TOKEN = tokenIn((await mailOf('confirm')).text, 'confirm');
      },
    },
    { before: /status\/unsubscribe/, act: setTokenFromUpdate },
  ];
  const reading = await service.follow('status-page.md', { steps });
  expect(reading).toEqual({ ran: 13, compared: 13, notRun: [] });
  const { stores, services } = service.app;
  expect(await stores.db.selectFrom('status_subscribers').selectAll().execute()).toEqual([]);
  const { history } = services.status.state();
  expect(history.map(({ status }) => status).sort()).toEqual(['completed', 'postmortem']);
});

it.each([
  '/status',
  '/status/history',
  '/status/feed.atom',
  '/status/feed.rss',
  '/status/feed.json',
  '/status/maintenance.ics',
  '/status/badge/overall.svg?metric=uptime&days=7',
  '/status/badge/database.json',
  '/api/status',
  '/status/summary.json',
])('status-page.md names the address %s, which exists', async (url) => {
  const { status } = await new TestClient(service.app).get(url, { headers: { accept: '*/*' } });
  expect(status).toBe(200);
});
