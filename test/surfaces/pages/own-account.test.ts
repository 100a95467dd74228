import sharp from 'sharp';
import { describe, expect, vi } from 'vitest';
import { minuteMs } from '../../../src/lib/durations.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { TestClient } from '../../support/client.ts';
import { notThe } from '../../support/abuse.ts';
import { redirectTo, saying } from '../../support/responses.ts';
import { openCookie } from '../../support/sign-in.ts';
import { codeIn, origin, titled } from './support.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('people', { clock });

let counter = 0;
async function newPerson() {
  const email = `page.${(counter += 1)}@example.com`;
  const { userId, headers: session } = await openCookie(app, email);
  const client = new TestClient(app).as(session);
  return {
    email,
    userId,
    client,
    read: async (url = '/account') => (await client.page(url)).text,
    form: (url: string, values: Record<string, string> = {}) => client.form(url, values),

    /** Sends the form with a picture, as a browser does without scripts. */
    upload(file: Buffer, headers: Record<string, string> = {}) {
      const head =
        '------form\r\ncontent-disposition: form-data; name="picture"; filename="me.png"\r\n' +
        'content-type: image/png\r\n\r\n';
      const body = [Buffer.from(head), file, Buffer.from('\r\n------form--\r\n')];
      const type = { 'content-type': 'multipart/form-data; boundary=----form' };
      return client.post('/account/picture', Buffer.concat(body), {
        headers: { accept: 'text/html', origin, ...type, ...headers },
      });
    },
  };
}

describe('the account page without JavaScript', () => {
  it('shows what is set and says what is not', async () => {
    const ada = await newPerson();
    const text = await ada.read();
    for (const part of ['Not set', 'No picture yet']) expect(text).toContain(part);
    const data = await ada.read('/account/data');
    for (const part of ['Create a copy of your data', 'Delete account'])
      expect(data).toContain(part);
    expect(text).not.toContain('Open console');
    await app.services.users.setRoles(ada.userId, ['viewer']);
    expect(await ada.read()).toContain('Open console');
  });

  it('saves the profile, and shows the form again with what is wrong', async () => {
    const ada = await newPerson();
    const entered = { name: 'Ada <b>', zoneinfo: 'Europe/Nowhere' };
    const refused = await ada.form('/account/profile', entered);
    expect(refused).toMatchObject(saying(422, 'Choose a time zone from the list.'));
    expect(refused.text).toContain('value="Ada &lt;b&gt;"');
    expect(
      await ada.form('/account/profile', { ...entered, zoneinfo: 'Europe/Paris' }),
    ).toMatchObject(redirectTo('/account?done=profile_saved'));
    const text = await ada.read('/account?done=profile_saved');
    for (const part of ['Ada &lt;b&gt;', 'Europe/Paris', 'Profile saved.'])
      expect(text).toContain(part);
  });

  it('uploads a picture by a form, shows it, and removes it', async () => {
    const ada = await newPerson();
    const create = { width: 30, height: 20, channels: 3 as const, background: '#0a0' };
    expect(await ada.upload(await sharp({ create }).png().toBuffer())).toMatchObject(
      redirectTo('/account?done=picture_uploaded'),
    );
    const [, path = ''] =
      /<img class="avatar avatar-large" src="(\/api\/v1\/users\/[^"]+\.webp)"/.exec(
        await ada.read(),
      ) ?? [];
    expect((await new TestClient(app).get(path)).headers['content-type']).toBe('image/webp');
    await ada.form('/account/picture/remove');
    expect(await ada.read()).not.toContain('avatar-large" src=');
  });

  const part = '------form\r\ncontent-disposition: form-data; name="x"\r\n\r\n\r\n';
  it.each([
    ['without a file', '', 415, {}],
    ['with a drawing', '<svg/>', 415, {}],
    ['with thousands of parts', part.repeat(50_000), 400, {}],
    ['with a broken body', 'x', 400, { 'content-type': 'multipart/form-data' }],
    ['of another site', 'x', 403, { origin: 'https://evil.example' }],
  ])('refuses a form %s', async (_what, file, status, headers: Record<string, string>) => {
    const ada = await newPerson();
    expect((await ada.upload(Buffer.from(file), headers)).status).toBe(status);
  });

  it('asks for the first phone number, and not for a new one', async () => {
    const ada = await newPerson();
    expect(await ada.client.page('/account/phone')).toMatchObject(titled(200, 'Add phone number'));
    const { text } = await ada.client.page('/account/phone');
    expect(text).not.toContain('old one');
    expect(text).toContain('href="/account" data-cancel>Cancel<');
  });

  it('changes the address by a code, and asks again after a wrong one', async () => {
    const ada = await newPerson();
    const next = `next.${ada.email}`;
    expect(await ada.client.page('/account/email')).toMatchObject(
      titled(200, 'Change email address'),
    );
    expect(await ada.form('/account/email', { email: 'nobody' })).toMatchObject(
      saying(422, 'Enter an email address like'),
    );
    expect(await ada.form('/account/email', { email: next })).toMatchObject(
      saying(200, `<strong>${next}</strong>`),
    );
    const code = await codeIn(ada.client, next);
    expect(await ada.form('/account/email/confirm', { code: '000' })).toMatchObject(
      saying(422, 'Enter the 6 digits of the code'),
    );
    expect(await ada.form('/account/email/confirm', { code: notThe(code) })).toMatchObject(
      saying(400, 'This code is wrong or has expired'),
    );
    const grouped = `${code.slice(0, 3)}\u2009${code.slice(3)}`;
    expect(await ada.form('/account/email/confirm', { code: grouped })).toMatchObject(
      redirectTo('/account?done=email_changed'),
    );
    expect(await ada.read()).toContain(next);
  });

  it('creates a copy of the data and downloads it', async () => {
    const ada = await newPerson();
    expect(await ada.form('/account/export')).toMatchObject(
      redirectTo('/account/data?done=export_started'),
    );
    await vi.waitFor(
      async () => expect(await ada.read('/account/data')).toContain('Download your data'),
      {
        timeout: 15_000,
        interval: 50,
      },
    );
    const file = await ada.client.page('/account/export/file');
    expect(file.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="my-data-.*\.zip"$/,
      ) as string,
    });
    expect(file.bytes.subarray(0, 2).toString()).toBe('PK');
  });

  it('deletes the account after a question, and keeps it by the banner', async () => {
    const ada = await newPerson();
    expect(await ada.read('/account/delete')).toContain(
      'For 14 days, you can still sign in and keep your account.',
    );
    expect(await ada.form('/account/delete')).toMatchObject(
      redirectTo('/account/data?done=deletion_scheduled'),
    );
    const text = await ada.read('/account/data');
    expect(text).toContain('Keep my account');
    expect(text).not.toContain('href="/account/delete"');
    expect(await ada.form('/account/keep')).toMatchObject(
      redirectTo('/account/data?done=account_kept'),
    );
    expect(await ada.read()).not.toContain('Keep my account');
  });

  it('tells the only admin what to do instead', async () => {
    const ada = await newPerson();
    await app.services.users.setRoles(ada.userId, ['admin']);
    expect(await ada.form('/account/delete')).toMatchObject(
      saying(409, 'Make someone else an admin'),
    );
  });

  it('asks for a new sign-in before what could take the account away', async () => {
    const ada = await newPerson();
    offset += 6 * minuteMs;
    const toSignIn = (next: string) => redirectTo(`/login?next=${next}&reason=fresh`);
    for (const path of ['email', 'phone'])
      expect(await ada.client.page(`/account/${path}`), path).toMatchObject(toSignIn('/account'));
    const back = toSignIn('/account/data');
    for (const path of ['delete', 'export/file'])
      expect(await ada.client.page(`/account/${path}`), path).toMatchObject(back);
    expect(await ada.form('/account/keep')).toMatchObject(back);
  });
});
