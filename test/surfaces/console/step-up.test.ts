import { describe, expect } from 'vitest';
import { requestedContent } from '../../support/abuse.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { personOf, unknownId } from './pages.ts';

const times = { ahead: 0 };
const app = await sharedApp('console', { clock: { now: () => Date.now() + times.ahead } });
const admin = await personOf(app, 'ada@example.com', ['admin']);
times.ahead = 30 * 60_000 + 1000;

/** The rows that say who has access, without the times at which people were last seen. */
async function storedWays(): Promise<(string | undefined)[]> {
  const content = await requestedContent(app);
  return ['users', 'identities', 'api_keys', 'invitations', 'devices'].map((table) =>
    content.get(table)?.replaceAll(/"last_(?:seen|used)_at":[^,}]*/g, ''),
  );
}

describe('a console session of more than 30 minutes ago', () => {
  const form = (operation: string, values: Record<string, string> = {}) =>
    [operation, values] as const;
  const held = [
    form('console.create_api_key', { name: 'Key', 'scope.admin': 'on' }),
    form('console.create_invitation', { email: 'eve@example.com', role: 'admin' }),
    form('console.resend_invitation'),
    form('console.give_role', { role: 'admin', confirm: unknownId }),
    form('console.take_role', { role: 'viewer' }),
    form('console.disable_user', { confirm: unknownId }),
    form('console.enable_user'),
    form('console.update_user', { name: 'Eve' }),
    form('console.delete_user', { confirm: unknownId }),
    form('console.bulk_users', { action: 'sign_out', 'user[]': unknownId }),
    form('console.unrevoke_invitation'),
    form('console.end_session', { session: 'x' }),
    form('console.end_all_sessions'),
    form('console.request_factor_reset', { reason: 'Lost the phone' }),
    form('console.approve_factor_reset'),
    form('console.suspend_device'),
    form('console.restore_device'),
    form('console.revoke_device'),
    form('console.approve_device', { number: '42' }),
    form('console.deny_device'),
    form('console.import_users', { rows: 'email\neve@example.com' }),
  ] as const;
  const notHeld = [
    'console.find_users',
    'console.find_signups',
    'console.delete_signups',
    'console.cancel_factor_reset',
    'console.revoke_invitation',
    'console.revoke_api_key',
    'console.retry_payment_event',
  ];
  const peoplePath = /^\/api\/svc\/console\/(?:users|devices|keys)\b/;

  it('is refused by every form that gives access, and redirected to the sign-in', async () => {
    const before = await storedWays();
    for (const [operation, values] of held) {
      const route = app.http.registeredRoutes.find(
        ({ schema }) => schema?.operationId === operation,
      );
      const answer = await admin.form(route?.url.replace(/:\w+/g, unknownId) ?? '', values);
      expect(answer, operation).toMatchObject({ status: 303 });
      expect(answer.headers.location, operation).toContain('reason=fresh');
    }
    expect(await storedWays()).toEqual(before);
  });

  it('meets no other form about people, devices and keys', () => {
    const forms = app.http.registeredRoutes
      .filter(({ url, method }) => peoplePath.test(url) && [method].flat().includes('POST'))
      .map(({ schema }) => schema?.operationId ?? '');
    expect(forms.sort()).toEqual([...held.map(([operation]) => operation), ...notHeld].sort());
  });
});
