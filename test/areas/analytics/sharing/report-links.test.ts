import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OutboxMessage } from '../../../../src/areas/comms/outbox.ts';
import type { Role } from '../../../../src/lib/access.ts';
import { asAdmin } from '../../../support/app.ts';
import { type IngestClient, newSite, openIngest } from '../http/ingest-client.ts';

let client: IngestClient;
const site = newSite();
const consolePage = `https://svc.example/api/svc/console/analytics?site_id=${site}`;

beforeAll(async () => {
  client = await openIngest({ env: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme' } });
  await client.app.services.queues.start();
  const made = await client.ask('POST', '/analytics/sites', asAdmin, { site_id: site });
  if (made.status !== 201) throw new Error(`${made.status} ${made.text}`);
}, 30_000);
afterAll(() => client.close());

async function createUser(email: string, roles: readonly Role[]): Promise<string> {
  const { users } = client.app.services;
  const { user } = await users.signInAs({ kind: 'email', key: email, value: email });
  await users.setRoles(user.id, roles);
  return user.id;
}

/** Sends a test report to the address and returns the mail. */
async function mailTo(email: string): Promise<OutboxMessage> {
  const { status, text, body } = await client.ask(
    'POST',
    `/analytics/sites/${site}/reports`,
    asAdmin,
    { email, frequency: 'weekly', timezone: 'UTC' },
  );
  if (status !== 201) throw new Error(`${status} ${text}`);
  await client.ask('POST', `/analytics/sites/${site}/reports/${String(body.id)}/test`, asAdmin);
  return vi.waitFor(
    () => {
      const [mail] = client.app.services.outbox.list(email.toLowerCase());
      if (mail === undefined) throw new Error('no mail yet');
      return mail;
    },
    { timeout: 10_000, interval: 20 },
  );
}

describe('the link to the console in a report by email', () => {
  it.each(['viewer', 'admin'] as const)(
    'is included for a user with the role %s, whatever the case of the address',
    async (role) => {
      await createUser(`${role}@example.com`, [role]);
      const { text, html } = await mailTo(`${role[0]?.toUpperCase()}${role.slice(1)}@Example.com`);
      expect(text).toContain(`View dashboard:\n${consolePage}`);
      expect(html).toContain(`<a href="${consolePage}"`);
    },
  );

  it.each([
    ['an address without an account', 'stranger@example.com', () => Promise.resolve()],
    [
      'a user without a role',
      'norole@example.com',
      async (email: string) => {
        await createUser(email, []);
      },
    ],
    [
      'a disabled admin',
      'gone@example.com',
      async (email: string) => {
        const id = await createUser(email, ['admin']);
        await client.app.stores.db
          .updateTable('users')
          .set({ disabled_at: new Date() })
          .where('id', '=', id)
          .execute();
      },
    ],
  ])('is left out for %s', async (_label, email, prepare) => {
    await prepare(email);
    const { text, html, unsubscribe = '(missing)' } = await mailTo(email);
    expect(text.match(/https?:\/\/\S+/g)).toEqual([unsubscribe]);
    expect(html?.match(/href="[^"]*"/g)).toHaveLength(1);
    expect(text).toContain(`report for ${site}`);
    expect(text).toContain(
      'You’re receiving this email because someone at Acme added your address to the reports for ' +
        `${site}.\n\nUnsubscribe:\n`,
    );
  });
});
