import { describe, expect } from 'vitest';
import type { OutboxMessage } from '../../../../src/areas/comms/outbox.ts';
import type { Role } from '../../../../src/lib/access.ts';
import { it } from '../../../support/test.ts';
import { useSharedAnalytics } from '../support.ts';

const analytics = await useSharedAnalytics({ profile: 'named' });
const site = await analytics.registerSite();

async function createUser(email: string, roles: readonly Role[]): Promise<string> {
  const { users } = analytics.app.services;
  const { user } = await users.signInAs({ kind: 'email', key: email, value: email });
  await users.setRoles(user.id, roles);
  return user.id;
}

/** Sends a test report to the address and returns the email. */
async function reportTo(email: string): Promise<OutboxMessage> {
  const { admin } = analytics;
  const reports = `/analytics/sites/${site}/reports`;
  const { body } = await admin.post(reports, { email, frequency: 'weekly', timezone: 'UTC' });
  await admin.post(`${reports}/${String(body.id)}/test`);
  return admin.mailTo(email.toLowerCase());
}

describe('the link to the console in a report by email', () => {
  it.each(['viewer', 'admin'] as const)(
    'is included for a user with the role %s, whatever the case of the address',
    async (role) => {
      await createUser(`${role}@example.com`, [role]);
      const { text, html } = await reportTo(
        `${role[0]?.toUpperCase()}${role.slice(1)}@Example.com`,
      );
      const url = `https://svc.example/api/svc/console/analytics?site_id=${site}`;
      expect(text).toContain(`View dashboard:\n${url}`);
      expect(html?.()).toContain(`<a href="${url}"`);
    },
  );

  async function expectNoLink(email: string): Promise<void> {
    const { text, html, unsubscribe = '(missing)' } = await reportTo(email);
    expect(text.match(/https?:\/\/\S+/g)).toEqual([unsubscribe]);
    expect(html?.().match(/href="[^"]*"/g)).toHaveLength(1);
    expect(text).toContain(`report for ${site}`);
    expect(text).toContain(
      'You’re receiving this email because someone at Acme added your address to the reports for ' +
        `${site}.\n\nUnsubscribe:\n`,
    );
  }

  it('is left out for an address without an account', async () => {
    await expectNoLink('stranger@example.com');
  });

  it('is left out for a user without a role', async () => {
    await createUser('norole@example.com', []);
    await expectNoLink('norole@example.com');
  });

  it('is left out for a disabled admin', async () => {
    const id = await createUser('gone@example.com', ['admin']);
    await analytics.app.stores.db
      .updateTable('users')
      .set({ disabled_at: new Date() })
      .where('id', '=', id)
      .execute();
    await expectNoLink('gone@example.com');
  });
});
