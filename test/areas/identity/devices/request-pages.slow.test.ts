import { beforeEach, describe, expect } from 'vitest';
import { minuteMs } from '../../../../src/lib/durations.ts';
import { createDeviceBrowser, firefoxOnWindows, places } from '../../../support/devices.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';
import { hiddenFieldsOf } from '../../../surfaces/pages/support.ts';
import {
  ask,
  decide,
  factsOn,
  led,
  notAllowed,
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
import { useDevices, wrongNumber } from './support.ts';

const lab = await useDevices();
const { cleared, expectUnchanged } = lab;
const { openRequest, waiting } = peopleOf(lab);
beforeEach(() => {
  lab.set(Date.now());
});

describe('the page of requests', () => {
  it('leads browsers to the console, with what was done', async () => {
    const { browser } = await cleared();
    const accept = { accept: 'text/html' };
    const queue = '/api/svc/console/devices';
    expect(await open(browser, requests, accept)).toMatchObject(to(queue));
    expect(await open(browser, `${requests}?done=approved`, accept)).toMatchObject(
      to(`${queue}?done=approved`),
    );
    const stranger = await lab.signedIn({ roles: [] });
    expect(await open(stranger, requests, accept)).toMatchObject(notAllowed);
  });

  it('shows the user and the origin of a request, and never the number', async () => {
    const origin = { address: places.jp, userAgent: firefoxOnWindows };
    const asked = await waiting({ name: 'Studio', reason: 'Night shift' }, origin);
    const { browser } = await cleared();
    const shown = await open(browser, requests);
    expect(wordsOf(shown)).toMatch(
      new RegExp(
        /Device Studio Browser Firefox on Windows Identified by Cookie /.source +
          /Network 202\.12\.27\.0\/24 Country Japan Reason Night shift Requested [A-Z][a-z]{2}/
            .source,
      ),
    );
    const text = shown.text.replace(/<time[^>]*>[^<]*<\/time>/g, '');
    expect(wordsOf({ text })).not.toMatch(new RegExp(`(?<![\\d:./-])${asked.number}(?![\\d:.-])`));
    expect(shown.text).not.toContain(`"${asked.number}"`);
    expect(await decide(browser, asked.id, 'deny', { note: 'who are you?' })).toMatchObject(
      to(`${requests}?done=denied`),
    );
    expect(wordsOf(await open(browser, `${requests}?done=denied`))).toMatch(
      new RegExp(
        /Request denied\. .*Studio, person-\d+@example\.com /.source +
          /Denied by you, .* UTC Note: who are you\?/.source,
      ),
    );
    expect(stateOn(await open(asked.browser))).toBe(
      'The approval request for this device was denied.',
    );
  });

  it('approves with the right number', async () => {
    const { browser } = await cleared();
    const asked = await waiting();
    const { id, number } = asked;
    const approve = (given: string, note = '') =>
      decide(browser, id, 'approve', { number: given, note });
    for (const malformed of ['', '7', 'ab', '123']) {
      const refused = await approve(malformed);
      expect(refused).toMatchObject({ status: 400, title: 'Error: Device requests' });
      expect(wordsOf(refused)).toContain('Enter the two digits shown on the device.');
    }
    expect((await openRequest(asked.browser)).wrong_numbers).toBe(0);
    const refused = await approve(wrongNumber(number));
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(
      `aria-describedby="number-${id}-error number-${id}-hint" aria-invalid="true"`,
    );
    expect(refused.text).toMatch(
      new RegExp(`id="number-${id}-error"><svg.*?</svg>The device shows a different number\\.`),
    );
    expect(refused.headers['content-security-policy']).toContain("script-src 'self'");
    const spaced = ` ${number.split('').join(' ')} `;
    expect(await approve(spaced, 'known by voice')).toMatchObject(to(`${requests}?done=approved`));
    expect(stateOn(await open(asked.browser))).toBe('This device is approved.');
    expect(await approve(number)).toMatchObject({ status: 409, title: 'Error: Already done' });
  });

  it('denies at the third wrong number', async () => {
    const { browser } = await cleared();
    const asked = await waiting();
    const guess = () => decide(browser, asked.id, 'approve', { number: wrongNumber(asked.number) });
    await guess();
    await guess();
    const third = await guess();
    expect(third.status).toBe(400);
    expect(wordsOf(third)).toContain('That was the third wrong number, so the request was denied.');
    expect(stateOn(await open(asked.browser))).toBe(
      'The approval request for this device was denied.',
    );
  });

  it('shows your own request without forms, and refuses a decision on it', async () => {
    const { browser } = await cleared();
    const laptop = await lab.signedIn({ email: browser.self.email });
    await ask(laptop);
    const { id, number } = await openRequest(laptop);
    const shown = await open(browser, requests);
    expect(shown.text).toContain(`id="request-${id}"`);
    expect(shown.text).not.toContain(`${requests}/${id}/`);
    expect(wordsOf(shown)).toContain('This is your own request, so another admin needs to decide.');
    await expectUnchanged(async () => {
      for (const form of ['approve', 'deny'] as const)
        expect(await decide(browser, id, form, { number })).toMatchObject(notAllowed);
    });
  });

  it('requires a sign-in within the last five minutes for a decision', async () => {
    const { browser } = await cleared();
    const asked = await waiting();
    lab.pass(6 * minuteMs);
    for (const form of ['approve', 'deny'] as const)
      expect(await decide(browser, asked.id, form, { number: asked.number })).toMatchObject(
        to('/login?next=/account/devices/requests&reason=fresh'),
      );
    expect((await openRequest(asked.browser)).wrong_numbers).toBe(0);
    expect(await open(browser, requests)).toMatchObject({ status: 200 });
  });

  it('says when there are no requests', async () => {
    const { browser } = await cleared();
    await lab.app.stores.db.deleteFrom('clearance_requests').execute();
    const words = wordsOf(await open(browser, requests));
    expect(words).toContain('Pending No pending requests.');
    expect(words).toContain('Decided No decisions yet.');
  });
});

describe('a device with a key', () => {
  it('is admitted once the key is proved, and decides only with a proof', async () => {
    const { browser } = await cleared({}, { hasKey: true });
    const asked = await waiting();
    const { id, number } = asked;
    lab.pass(6 * minuteMs);
    await browser.signIn();
    expect(await open(browser, requests)).toMatchObject(to(led));
    const shown = await open(browser, led);
    expect(stateOn(shown)).toBe('This device is approved.');
    expect(factsOn(shown).keyed).toBe('1');
    expect(shown.text).not.toContain('Continue');
    expect(wordsOf(shown)).toContain('require JavaScript');
    expect((await browser.status()).body).toMatchObject({ state: 'cleared', requirements: [] });
    expect(await open(browser, requests)).toMatchObject({ status: 200 });
    expect((await open(browser, led)).text).toContain('Continue');

    expect(await decide(browser, id, 'approve', { number })).toMatchObject(to(led));
    expect((await openRequest(asked.browser)).state).toBe('open');
    // The script navigates itself, because fetch would follow the redirect with the same proof.
    expect(await decide(browser, id, 'approve', { number }, { prove: true })).toMatchObject({
      status: 204,
      place: `${requests}?done=approved`,
      text: '',
    });
  });

  it('gets an error for an invalid proof instead of the sign-in page', async () => {
    const { browser } = await cleared({}, { hasKey: true });
    const headers = { dpop: 'x.y.z' };
    const refused = await decide(browser, unknownId, 'deny', {}, { headers });
    expect(refused).toMatchObject({ status: 401, title: 'Error: Sign in first' });
    expect(refused.place).toBeUndefined();
    expect(refused.headers['dpop-nonce']).toEqual(expect.any(String));
    expect(wordsOf(refused)).toContain('Your browser couldn’t prove its identity.');
  });

  it('gets a new cookie for a proof after it has lost its own, once', async () => {
    const { browser, deviceId } = await cleared({}, { hasKey: true });
    const before = browser.jar.get('svc_device');
    const thief = lab.copy(browser, { cookies: ['svc_session'] });
    expect(stateOn(await open(thief))).toBe(
      'One more step: an admin needs to approve this browser.',
    );
    await thief.makeKey();
    await thief.status();
    expect(thief.jar.has('svc_device')).toBe(false);
    browser.jar.delete('svc_device');
    expect(stateOn(await open(browser))).toBe(
      'One more step: an admin needs to approve this browser.',
    );
    expect((await browser.status()).body).toMatchObject({ state: 'cleared', device_id: deviceId });
    expect(browser.jar.get('svc_device')).not.toBe(before);
    expect((await browser.status()).headers).not.toHaveProperty('set-cookie');
    expect(stateOn(await open(browser))).toBe('This device is approved.');
  });
});

describe('the policy', () => {
  it('none lets admins decide from any device', async () => {
    const browser = createDeviceBrowser(await sharedApp('people'));
    await browser.signIn({ email: 'any@example.com', roles: ['admin'] });
    const shown = await open(browser, requests);
    expect(shown.status).toBe(200);
    expect(shown.text).not.toContain('<script');
    expect(stateOn(await open(browser))).toBe(
      'This device is unknown. This service doesn’t require approval at the moment.',
    );
  });

  it('of HTTPS adds the prefix __Host- to the cookie, even when it is deleted', async () => {
    const browser = createDeviceBrowser(await sharedApp('named'));
    await browser.signIn({ email: 'tls@example.com' });
    const at = { headers: { host: 'svc.example', origin: 'https://svc.example' } };
    const values = { name: '', reason: '' };
    expect((await submit(browser, `${page}/ask`, values, at)).cookies).toEqual([
      expect.stringMatching(
        /^__Host-svc_device=[^;]+; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    const { id = '' } = hiddenFieldsOf((await open(browser)).text, `${page}/remove`);
    expect((await submit(browser, `${page}/remove`, { id }, at)).cookies).toEqual([
      expect.stringMatching(/^__Host-svc_device=; Max-Age=0; .*Secure; /),
      expect.stringMatching(/^__Host-svc_session=; Max-Age=0; .*Secure; /),
      expect.stringMatching(/^svc_session=; Max-Age=0; .*Secure; /),
    ]);
  });
});
