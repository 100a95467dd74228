import { describe, expect } from 'vitest';
import { me } from '../../../support/abuse.ts';
import { it } from '../../../support/test.ts';
import { useDevices } from '../support.ts';

const lab = useDevices();
const { cleared, copy } = lab;

describe('case 51 › a device that is being removed', () => {
  it(
    'keeps no session and gets nothing back from twenty concurrent requests',
    { timeout: 60_000 },
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const { browser, deviceId } = await cleared();
        const copies = Array.from({ length: 20 }, () => copy(browser));
        const [, ...responses] = await Promise.all([
          browser.revoke({ device_id: deviceId }),
          ...copies.map((thief, at) => (at % 2 === 0 ? thief.status() : thief.console())),
        ]);
        for (const { status } of responses) expect(status).toBeLessThan(500);
        expect(await lab.sessionDevices(browser.self.userId)).toEqual([]);
        for (const { jar } of copies) {
          const cookie = `svc_session=${jar.get('svc_session') ?? ''}`;
          expect(await me(lab.app, { cookie })).toMatchObject({ status: 401 });
        }
        expect(await lab.stateOf(deviceId)).toBe('revoked');
        const actions = await lab.actions(deviceId);
        expect(actions.filter((action) => action === 'device.revoked')).toHaveLength(1);
      }
    },
  );

  it('keeps no session from a concurrent sign-in, fifty times', { timeout: 60_000 }, async () => {
    const email = lab.newEmail();
    for (let round = 0; round < 50; round += 1) {
      const { browser, deviceId } = await cleared({ email });
      const other = copy(browser, { cookies: ['svc_device'] });
      await Promise.all([lab.revokeBySystem(deviceId), other.signIn({ email, roles: ['admin'] })]);
      expect(await lab.sessionDevices(browser.self.userId)).not.toContain(deviceId);
      await lab.app.services.sessions.endAll(browser.self.userId);
      await lab.app.stores.db.deleteFrom('devices').where('id', '=', deviceId).execute();
      lab.pass(1000);
    }
  });
});
