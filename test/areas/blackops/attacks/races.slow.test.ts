import { beforeAll, describe, expect } from 'vitest';
import { me } from '../../../support/abuse.ts';
import { type TestApp } from '../../../support/app.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import {
  type Cleared,
  clearedOn,
  copyOf,
  type DeviceBrowser,
  entriesOf,
  storedDevice,
} from '../../../support/devices.ts';

let offset = 0;
const now = () => Date.now() + offset;
const pass = (ms: number) => void (offset += ms);
let app: TestApp;
beforeAll(async () => {
  app = await sharedApp('devices', { clock: { now } });
});

let people = 0;
const someone = () => `racing-${people++}@example.com`;
const cleared = (email = someone()): Promise<Cleared> => clearedOn(app, { email }, { now });
const stateOf = async (id: string) => (await storedDevice(app, id)).state;
const statusOfMe = async (browser: DeviceBrowser) =>
  (await me(app, { cookie: `svc_session=${browser.jar.get('svc_session') ?? ''}` })).status;

describe('case 51 › a device that is being removed', () => {
  it(
    'keeps no session and gets nothing back from twenty concurrent requests',
    { timeout: 60_000 },
    async () => {
      for (let round = 0; round < 5; round += 1) {
        const { browser, deviceId } = await cleared();
        const copies = Array.from({ length: 20 }, () => copyOf(app, browser, { now }));
        const [, ...answers] = await Promise.all([
          browser.revoke({ device_id: deviceId }),
          ...copies.map((copy, at) => (at % 2 === 0 ? copy.status() : copy.console())),
        ]);
        expect(answers.every(({ status }) => status < 500)).toBe(true);
        expect(await app.services.sessions.list(browser.self.userId)).toEqual([]);
        for (const copy of copies) expect(await statusOfMe(copy)).toBe(401);
        expect(await stateOf(deviceId)).toBe('revoked');
        expect(
          (await entriesOf(app, deviceId)).filter(({ action }) => action === 'device.revoked'),
        ).toHaveLength(1);
      }
    },
  );

  it('keeps no session from a concurrent sign-in, fifty times', { timeout: 60_000 }, async () => {
    const email = someone();
    for (let round = 0; round < 50; round += 1) {
      const { browser, deviceId } = await cleared(email);
      const other = copyOf(app, browser, { cookies: ['svc_device'], now });
      await Promise.all([
        app.services.devices.management.revoke(
          deviceId,
          'all',
          { actor: { kind: 'system' } },
          'test',
        ),
        other.signIn({ email, roles: ['admin'] }),
      ]);
      const on = (await app.services.sessions.list(browser.self.userId)).filter(
        ({ device }) => device?.id === deviceId,
      );
      expect(on).toEqual([]);
      await app.services.sessions.endAll(browser.self.userId);
      await app.stores.db.deleteFrom('devices').where('id', '=', deviceId).execute();
      pass(1000);
    }
  });
});
