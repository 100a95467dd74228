import { sql } from 'kysely';
import { beforeEach, describe, expect } from 'vitest';
import { riskRules } from '../../../../src/areas/identity/devices/recognition/risk.ts';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { formatDateTime } from '../../../../src/platform/i18n/dates.ts';
import { TestClient } from '../../../support/client.ts';
import { firefoxOnWindows, places } from '../../../support/devices.ts';
import { it } from '../../../support/test.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';
import {
  addFactor,
  ask,
  decide,
  deviceForms,
  factsOn,
  hasForm,
  led,
  notAllowed,
  numberOn,
  open,
  page,
  peopleOf,
  requests,
  stateOn,
  submit,
  to,
  unknownId,
  wordsOf,
} from './device-forms.ts';
import { useDevices, withFactor } from './support.ts';

const lab = await useDevices();
const { cleared, expectUnchanged, stateOf, stored } = lab;
const { openRequest, person, waiting } = peopleOf(lab);
beforeEach(() => {
  lab.set(Date.now());
});

describe('access to the device pages', () => {
  it.each([
    [page, '/login?next=/account/devices'],
    [`${page}/`, '/login?next=/account/devices/'],
    [requests, '/login?next=/account/devices/requests'],
    [
      `${page}?next=/account/devices/requests`,
      '/login?next=%2Faccount%2Fdevices%3Fnext%3D%2Faccount%2Fdevices%2Frequests',
    ],
  ])('%s redirects signed-out clients to the sign-in page, and back', async (url, place) => {
    const stranger = lab.newBrowser();
    expect(await open(stranger, url)).toMatchObject(to(place));
    expect(await open(stranger, url, { cookie: 'svc_session=x' })).toMatchObject({
      ...to(place),
      cookies: [expect.stringContaining('svc_session=; ')],
    });
  });

  it('forms of signed-out clients change nothing and redirect to the sign-in page', async () => {
    const stranger = lab.newBrowser();
    const values = { id: unknownId, name: 'x', reason: 'y' };
    await expectUnchanged(async () => {
      for (const form of deviceForms)
        expect(await submit(stranger, `${page}/${form}`, values)).toMatchObject(
          to(`/login?next=${page}`),
        );
      for (const form of ['approve', 'deny'] as const)
        expect(await decide(stranger, unknownId, form, { number: '00' })).toMatchObject(
          to(`/login?next=${requests}`),
        );
    });
  });

  it.each([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:81' },
  ])('forms sent from another site change nothing: %j', async (from) => {
    const { browser, deviceId } = await cleared();
    const { id, number } = await waiting();
    const values = { id: deviceId, name: 'x', reason: '' };
    const headers = { headers: { ...from } };
    await expectUnchanged(async () => {
      for (const form of deviceForms)
        expect(await submit(browser, `${page}/${form}`, values, headers)).toMatchObject({
          ...notAllowed,
          cookies: [],
        });
      for (const form of ['approve', 'deny'] as const)
        expect(await decide(browser, id, form, { number }, headers)).toMatchObject({
          status: 403,
          cookies: [],
        });
    });
  });

  it('pages are not cached, and allow only the script of the service', async () => {
    const { browser } = await cleared();
    const scriptPath = lab.app.services.assets.path('devices.js');
    for (const url of [page, requests]) {
      const { headers, text } = await open(browser, url);
      expect(headers).toMatchObject({ 'cache-control': 'no-store' });
      expect(headers.vary).toMatch(/^cookie\b/);
      expect(headers['content-security-policy']).toMatch(
        /^default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self';/,
      );
      expect(text.match(/<script[^>]*>/g)).toEqual([`<script type="module" src="${scriptPath}">`]);
      expect(text).not.toMatch(/\son\w+=|\sstyle=|<style/);
    }
    const script = await new TestClient(lab.app).get(scriptPath);
    expect(script).toMatchObject({
      status: 200,
      headers: {
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': 'text/javascript; charset=utf-8',
      },
    });
    expect(script.bytes.length).toBeLessThanOrEqual(8 * 1024);
    expect((await open(browser)).text).toContain(`href="${requests}"`);
  });

  it('requests are visible only to admins on cleared devices', async () => {
    const plain = await person();
    expect(await open(plain, requests)).toMatchObject({
      status: 403,
      title: 'Error: You don’t have access',
    });
    expect((await open(plain)).text).not.toContain(requests);
    const uncleared = await lab.signedIn();
    expect(await open(uncleared, requests)).toMatchObject(to(led));
    expect(await decide(uncleared, unknownId, 'deny')).toMatchObject(to(led));
    expect((await open(uncleared, led)).text).toContain(
      'The page you wanted to open requires an approved device.',
    );
  });
});

describe('the page of a device', () => {
  it('offers a request and explains it while the device is unknown', async () => {
    const shown = await open(await person());
    expect(shown).toMatchObject({ status: 200, title: 'Devices', cookies: [] });
    expect(stateOn(shown)).toBe('One more step: an admin needs to approve this browser.');
    expect(numberOn(shown)).toBeUndefined();
    expect(factsOn(shown)).toMatchObject({ state: 'unknown', id: '', next: '' });
    expect(wordsOf(shown)).toContain('Optional. Default: Chrome on macOS.');
    expect(wordsOf(shown)).toContain('You have no other devices.');
  });

  it('shows the number and expiry of a pending device, and allows one request', async () => {
    const browser = await person();
    const values = { name: '  My   laptop ', reason: 'new\r\none', next: requests };
    expect(await ask(browser, values)).toMatchObject({
      ...to('/account/devices?done=asked&next=%2Faccount%2Fdevices%2Frequests'),
      cookies: [
        expect.stringMatching(
          /^svc_device=[^;]{90,}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
        ),
      ],
    });
    const { number, reason, device_id: id, expires_at: end } = await openRequest(browser);
    expect(reason).toBe('new one');
    expect((await stored(id)).name).toBe('My laptop');
    const shown = await open(browser);
    expect(stateOn(shown)).toBe('This device is awaiting approval.');
    expect(numberOn(shown)).toBe(number);
    expect(factsOn(shown)).toMatchObject({ state: 'pending', id });
    expect(shown.text).toContain(`<time datetime="${end.toISOString()}">`);
    expect(hasForm(shown, 'ask')).toBe(false);
    await ask(browser);
    expect((await openRequest(browser)).number).toBe(number);
  });

  it('shows the beginning, end and binding of an approval', async () => {
    const { browser, deviceId } = await cleared();
    const shown = await open(browser);
    expect(stateOn(shown)).toBe('This device is approved.');
    expect(numberOn(shown)).toBeUndefined();
    expect(hasForm(shown, 'ask')).toBe(false);
    const { cleared_at: since } = await stored(deviceId);
    expect(wordsOf(shown)).toContain(`Approved ${formatDateTime(since ?? NaN)}`);
    expect(wordsOf(shown)).toMatch(
      /Expires .* UTC if unused, .* UTC at the latest Identified by Cookie/,
    );
    const keyed = await cleared({}, { hasKey: true });
    expect(wordsOf(await open(keyed.browser))).toContain('Identified by Browser key');
  });

  it('offers a new request with a reason after the expiry', async () => {
    const { browser, deviceId } = await cleared();
    lab.pass(31 * dayMs);
    await browser.signIn();
    const shown = await open(browser);
    expect(stateOn(shown)).toBe(
      'This device’s approval has expired, or no admin responded to your request in time.',
    );
    expect(factsOn(shown).state).toBe('expired');
    expect(shown.text).not.toContain('name="name" type="text" value=""');
    expect(await ask(browser, { reason: 'I was away' })).toMatchObject({ status: 303 });
    expect(await stateOf(deviceId)).toBe('pending');
    expect(await openRequest(browser)).toMatchObject({ device_id: deviceId, reason: 'I was away' });
  });

  it('explains every reason of a suspension in plain words, and what to do', async () => {
    const { browser, deviceId } = await cleared();
    const suspend = (reasons: string[]) =>
      sql`
        update devices set state = 'suspended', reasons = ${reasons}, expires_at = null
        where id = ${deviceId}::uuid`.execute(lab.app.stores.db);
    await suspend(Object.keys(riskRules));
    const shown = await open(browser);
    expect(stateOn(shown)).toBe('This device is suspended.');
    expect(factsOn(shown).state).toBe('suspended');
    for (const sentence of Object.values(riskRules)) expect(wordsOf(shown)).toContain(sentence);
    expect(wordsOf(shown)).toContain(
      'You have no second factor, so you can’t restore this device yourself. ' +
        'Ask an admin to restore it.',
    );
    expect(hasForm(shown, 'restore')).toBe(false);
    await addFactor(lab.app, browser);
    expect(hasForm(await open(browser), 'restore')).toBe(true);
    await suspend(['admin']);
    const byAdmin = await open(browser);
    expect(hasForm(byAdmin, 'restore')).toBe(false);
    expect(wordsOf(byAdmin)).toContain('Ask an admin to restore it');
    expect(await submit(browser, `${page}/restore`, { id: deviceId })).toMatchObject(
      to('/login?next=/account/devices&reason=second_factor'),
    );
    expect(await stateOf(deviceId)).toBe('suspended');
  });

  it('says that a device was denied or removed, and how to start again', async () => {
    const { browser, id } = await waiting();
    await lab.app.services.devices.decisions.decide(
      id,
      { isApproved: false, number: undefined, note: 'secret note' },
      { actor: { kind: 'api_key', id: 'env' }, userId: undefined, deviceId: undefined },
    );
    const denied = await open(browser);
    expect(stateOn(denied)).toBe('The approval request for this device was denied.');
    expect(hasForm(denied, 'ask')).toBe(false);
    expect(hasForm(denied, 'remove')).toBe(true);
    expect(denied.text).not.toContain('secret note');
    expect(await ask(browser)).toMatchObject(notAllowed);

    const cookie = browser.jar.get('svc_device') ?? '';
    const form = hiddenFieldsOf(denied.text, `${page}/remove`);
    expect(await submit(browser, `${page}/remove`, form)).toMatchObject({
      ...to('/login?next=/account/devices&done=signed_out'),
      cookies: [
        expect.stringMatching(/^svc_device=; Max-Age=0; /),
        expect.stringMatching(/^svc_session=; Max-Age=0; /),
      ],
    });
    expect(browser.jar.size).toBe(0);
    expect(await stateOf(form.id)).toBe('revoked');

    const again = await person();
    await lab.app.stores.db
      .updateTable('devices')
      .set({ user_id: again.self.userId })
      .where('id', '=', String(form.id))
      .execute();
    again.jar.set('svc_device', cookie);
    const removed = await open(again);
    expect(stateOn(removed)).toBe('This device was removed.');
    expect(factsOn(removed).state).toBe('revoked');
    expect(hasForm(removed, 'ask')).toBe(true);
    expect(await ask(again)).toMatchObject({ status: 303 });
    expect((await openRequest(again)).device_id).not.toBe(form.id);
    expect(await stateOf(form.id)).toBe('revoked');
  });

  it('restores a device only for its user, with a fresh second factor', async () => {
    const { browser, deviceId: id } = await cleared();
    const restore = (values = {}) => submit(browser, `${page}/restore`, { id, ...values });
    const secondFactor = to('/login?next=/account/devices&reason=second_factor');
    await addFactor(lab.app, browser);
    expect(await submit(browser, `${page}/suspend`, { id })).toMatchObject(
      to('/account/devices?done=suspended'),
    );
    expect(await restore()).toMatchObject(secondFactor);
    await browser.signIn(withFactor);
    lab.pass(6 * minuteMs);
    expect(await restore()).toMatchObject(secondFactor);
    expect(await stateOf(id)).toBe('suspended');
    const other = await person({ acr: 'aal2' });
    expect(await submit(other, `${page}/restore`, { id })).toMatchObject({ status: 404 });
    const before = browser.jar.get('svc_device');
    await browser.signIn(withFactor);
    expect(await restore({ next: requests })).toMatchObject(
      to('/account/devices?done=restored&next=%2Faccount%2Fdevices%2Frequests'),
    );
    expect(browser.jar.get('svc_device')).not.toBe(before);
    const shown = await open(browser, `${page}?done=restored`);
    expect(stateOn(shown)).toBe('This device is approved.');
    expect(wordsOf(shown)).toContain('no longer work');
  });

  it('escapes user input: names, reasons and notes', async () => {
    const evil = '<img src=x onerror=alert(1)>"\'&';
    const { browser, id, number } = await waiting({ name: evil, reason: evil });
    const other = lab.copy(browser, { cookies: ['svc_session'] });
    const { browser: approver } = await cleared();
    const ofOwner = await open(browser);
    const ofOther = await open(other);
    const pending = await open(approver, requests);
    await decide(approver, id, 'approve', { number, note: evil });
    const decided = await open(approver, requests);
    const query = new URLSearchParams({ done: evil, next: `/${evil}` });
    const answered = await open(browser, `${page}?${query.toString()}`);
    for (const { status, text } of [ofOwner, ofOther, pending, decided, answered]) {
      expect(status).toBe(200);
      expect(text).not.toContain('<img src=x');
      expect(text.replace(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\sonerror=/);
    }
    expect(ofOther.text).toContain('&lt;img');
    expect(pending.text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(decided.text).toContain('Note: &lt;img');
  });
});

describe('next', () => {
  it('is offered only once nothing is missing anymore', async () => {
    const browser = await lab.signedIn();
    const url = `${page}?next=${encodeURIComponent(`${requests}?a=b`)}`;
    const before = await open(browser, url);
    expect(before.text).not.toContain('Continue');
    expect(factsOn(before).next).toBe(`${requests}?a=b`);
    await lab.clear(await browser.ask());
    expect((await open(browser, url)).text).toContain(`<a href="${requests}?a=b">Continue</a>`);
    expect(await open(browser, requests)).toMatchObject({ status: 200, title: 'Device requests' });
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/%09/evil.example',
    '/a//evil.example',
    '/x@evil.example',
    '/',
    '',
    page,
    `${page}/?next=/x`,
    `/${'a'.repeat(2100)}`,
  ])('“%s” is ignored', async (next) => {
    const { browser } = await cleared();
    const shown = await open(browser, `${page}?next=${encodeURIComponent(next)}`);
    expect(shown.status).toBe(200);
    expect(factsOn(shown).next).toBe('');
    expect(shown.text).not.toMatch(/Continue|evil/);
    expect(await ask(await person(), { next })).toMatchObject({
      place: '/account/devices?done=asked',
    });
  });
});

describe('other devices', () => {
  /** A user with three approved devices: the current one and two others. */
  async function withThree() {
    const email = lab.newEmail();
    const first = await cleared({ email }, { address: places.de });
    const second = await cleared({ email }, { userAgent: firefoxOnWindows });
    const here = await cleared({ email });
    return { first, second, here };
  }

  it('are listed with their properties, without those of other users', async () => {
    const { first, second, here } = await withThree();
    const stranger = await cleared();
    const values = { id: stranger.deviceId, name: 'Not yours' };
    await submit(stranger.browser, `${page}/rename`, values);
    const shown = await open(here.browser);
    expect(wordsOf(shown)).toMatch(
      new RegExp(
        /Chrome on macOS Approved Germany, 46\.4\.0\.0\/24 · /.source +
          /last seen [A-Z][a-z]{2} \d{1,2}, \d{4}/.source,
      ),
    );
    expect(wordsOf(shown)).toContain('Firefox on Windows');
    for (const { deviceId } of [first, second, here]) expect(shown.text).toContain(deviceId);
    expect(shown.text).not.toContain('Not yours');
    expect(shown.text).not.toContain(stranger.deviceId);
    expect((await open(first.browser)).text).not.toContain(stranger.deviceId);
  });

  it('can be renamed, suspended and removed, which ends their sessions', async () => {
    const { first, second, here } = await withThree();
    const { deviceId: id } = first;
    const send = (form: string, values: Record<string, string> = { id }) =>
      submit(here.browser, `${page}/${form}`, values);
    const done = (what: string) => to(`/account/devices?done=${what}`);
    expect(await send('rename', { id, name: ' At\thome ' })).toMatchObject(done('renamed'));
    expect((await stored(id)).name).toBe('At home');
    const empty = await send('rename', { id, name: '   ' });
    expect(empty).toMatchObject({ status: 400, title: 'Error: Devices' });
    expect(wordsOf(empty)).toContain('Enter a name.');
    expect(empty.text).toMatch(/<input [^>]*name="name"[^>]*aria-invalid="true"/);
    expect((await stored(id)).name).toBe('At home');
    expect(await send('rename', { id, name: 'a'.repeat(65) })).toMatchObject({ status: 422 });

    expect(await send('suspend')).toMatchObject(done('suspended'));
    expect(stateOn(await open(first.browser))).toBe('This device is suspended.');
    expect(await send('suspend')).toMatchObject({ status: 409, title: 'Error: Already done' });
    expect(await send('remove')).toMatchObject(done('removed'));
    expect(await open(first.browser)).toMatchObject(to('/login?next=/account/devices'));
    expect(here.browser.jar.has('svc_session')).toBe(true);
    expect(await send('remove-others', {})).toMatchObject(done('others_removed'));
    expect(await stateOf(second.deviceId)).toBe('revoked');
    expect(await stateOf(here.deviceId)).toBe('cleared');
    expect(wordsOf(await open(here.browser))).toContain('You have no other devices.');
  });

  it('need a fresh sign-in, except to rename, or to remove the current device', async () => {
    const { first, here } = await withThree();
    lab.pass(6 * minuteMs);
    const { devices } = await lab.inventory();
    for (const form of ['suspend', 'remove', 'remove-others'])
      expect(await submit(here.browser, `${page}/${form}`, { id: first.deviceId })).toMatchObject(
        to('/login?next=/account/devices&reason=fresh'),
      );
    expect((await lab.inventory()).devices).toEqual(devices);
    expect(await submit(here.browser, `${page}/remove`, { id: here.deviceId })).toMatchObject(
      to('/login?next=/account/devices&done=signed_out'),
    );
    expect(await stateOf(here.deviceId)).toBe('revoked');
  });

  it.each([
    ['suspend', {}],
    ['remove', {}],
    ['rename', { name: 'Mine now' }],
    ['rename', { name: '' }],
  ])('of other users get the same 404 as unknown ids: %s %j', async (form, values) => {
    const { deviceId } = await cleared();
    const { browser } = await cleared();
    const send = (id: string) => submit(browser, `${page}/${form}`, { id, ...values });
    await expectUnchanged(async () => {
      const { text } = await send(unknownId);
      expect(await send(deviceId)).toMatchObject({ status: 404, title: 'Error: Not found', text });
    });
  });
});
