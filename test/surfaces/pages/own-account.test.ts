import sharp from 'sharp';
import { beforeAll, describe, expect, vi } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { codeFor, openCookie } from '../../support/sign-in.ts';
import { origin, submit, titleOf } from './support.ts';

let app: TestApp;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await sharedApp('people', { clock });
}, 60_000);

let counter = 0;
type Person = Awaited<ReturnType<typeof openCookie>> & { email: string };
async function newPerson(): Promise<Person> {
  const email = `page.${(counter += 1)}@example.com`;
  return { ...(await openCookie(app, email)), email };
}
const page = (person: Person, url = '/account') =>
  app.http.inject({ url, headers: { accept: 'text/html', ...person.headers } });

function uploadForm(person: Person, file: Buffer, headers: Record<string, string> = {}) {
  const boundary = '----form';
  const head =
    `--${boundary}\r\ncontent-disposition: form-data; name="picture"; filename="me.png"\r\n` +
    'content-type: image/png\r\n\r\n';
  return app.http.inject({
    method: 'POST',
    url: '/account/picture',
    headers: {
      accept: 'text/html',
      origin,
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...person.headers,
      ...headers,
    },
    payload: Buffer.concat([Buffer.from(head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  });
}

describe('the account page without JavaScript', () => {
  it('shows what is set and says what is not', async () => {
    const ada = await newPerson();
    const { body } = await page(ada);
    for (const text of [
      'Not set',
      'No picture yet',
      'Create a copy of your data',
      'Delete account',
    ])
      expect(body).toContain(text);
    expect(body).not.toContain('Open console');
    await app.services.users.setRoles(ada.userId, ['viewer']);
    expect((await page(ada)).body).toContain('Open console');
  });

  it('saves the profile, and shows the form again with what is wrong', async () => {
    const ada = await newPerson();
    const entered = { name: 'Ada <b>', locale: 'nonsense!', zoneinfo: 'Europe/Paris' };
    const refused = await submit(app, '/account/profile', entered, ada.headers);
    expect(refused.statusCode).toBe(422);
    expect(refused.body).toContain('Enter a language tag like en or pt-BR');
    expect(refused.body).toContain('value="Ada &lt;b&gt;"');
    const saved = await submit(app, '/account/profile', { ...entered, locale: '' }, ada.headers);
    expect({ status: saved.statusCode, location: saved.headers.location }).toEqual({
      status: 303,
      location: '/account?done=profile_saved',
    });
    const { body } = await page(ada, '/account?done=profile_saved');
    for (const text of ['Ada &lt;b&gt;', 'Europe/Paris', 'Profile saved.'])
      expect(body).toContain(text);
  });

  it('uploads a picture by a form, shows it, and removes it', async () => {
    const ada = await newPerson();
    const create = { width: 30, height: 20, channels: 3 as const, background: '#0a0' };
    const sent = await uploadForm(ada, await sharp({ create }).png().toBuffer());
    expect(sent.headers.location).toBe('/account?done=picture_uploaded');
    const { body } = await page(ada);
    const path = /<img class="avatar" src="(\/api\/v1\/users\/[^"]+\.webp)"/.exec(body)?.[1] ?? '';
    expect((await app.http.inject({ url: path })).headers['content-type']).toBe('image/webp');
    await submit(app, '/account/picture/remove', {}, ada.headers);
    expect((await page(ada)).body).not.toContain('class="avatar" src=');
  });

  it('refuses a form without a file, with a broken body, or with thousands of parts', async () => {
    const ada = await newPerson();
    expect((await uploadForm(ada, Buffer.alloc(0))).statusCode).toBe(415);
    expect((await uploadForm(ada, Buffer.from('<svg/>'))).statusCode).toBe(415);
    const part = '------form\r\ncontent-disposition: form-data; name="x"\r\n\r\n\r\n';
    const many = await uploadForm(ada, Buffer.from(part.repeat(50_000)));
    expect(many.statusCode).toBe(400);
    const noBoundary = await uploadForm(ada, Buffer.from('x'), {
      'content-type': 'multipart/form-data',
    });
    expect(noBoundary.statusCode).toBe(400);
    const foreign = await uploadForm(ada, Buffer.from('x'), { origin: 'https://evil.example' });
    expect(foreign.statusCode).toBe(403);
  });

  it('changes the address by a code, and asks again after a wrong one', async () => {
    const ada = await newPerson();
    const next = `next.${ada.email}`;
    expect(titleOf((await page(ada, '/account/email')).body)).toBe('Change email address');
    const wrong = await submit(app, '/account/email', { email: 'nobody' }, ada.headers);
    expect({ status: wrong.statusCode, body: wrong.body }).toEqual({
      status: 422,
      body: expect.stringContaining('Enter an email address like') as string,
    });
    const sent = await submit(app, '/account/email', { email: next }, ada.headers);
    expect(sent.body).toContain('n•••@example.com');
    const code = await codeFor(app, next);
    const again = await submit(app, '/account/email/confirm', { code: '000' }, ada.headers);
    expect({ status: again.statusCode, body: again.body }).toEqual({
      status: 400,
      body: expect.stringContaining('This code is wrong or has expired') as string,
    });
    const done = await submit(app, '/account/email/confirm', { code }, ada.headers);
    expect(done.headers.location).toBe('/account?done=contact_changed');
    expect((await page(ada)).body).toContain(next);
  });

  it('creates a copy of the data and downloads it', async () => {
    const ada = await newPerson();
    const started = await submit(app, '/account/export', {}, ada.headers);
    expect(started.headers.location).toBe('/account?done=export_started');
    await vi.waitFor(async () => expect((await page(ada)).body).toContain('Download your data'), {
      timeout: 15_000,
      interval: 50,
    });
    const file = await page(ada, '/account/export/file');
    expect(file.headers).toMatchObject({
      'content-type': 'application/zip',
      'cache-control': 'no-store',
    });
    expect(file.headers['content-disposition']).toMatch(/^attachment; filename="my-data-.*\.zip"$/);
    expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK');
  });

  it('deletes the account after a question, and keeps it by the banner', async () => {
    const ada = await newPerson();
    const question = await page(ada, '/account/delete');
    expect(question.body).toContain('For 14 days you can sign in and keep your account.');
    const done = await submit(app, '/account/delete', {}, ada.headers);
    expect(done.headers.location).toBe('/account?done=deletion_scheduled');
    const { body } = await page(ada);
    expect(body).toContain('Keep my account');
    expect(body).not.toContain('href="/account/delete"');
    expect((await submit(app, '/account/keep', {}, ada.headers)).headers.location).toBe(
      '/account?done=account_kept',
    );
    expect((await page(ada)).body).not.toContain('Keep my account');
  });

  it('tells the only admin what to do instead', async () => {
    const ada = await newPerson();
    await app.services.users.setRoles(ada.userId, ['admin']);
    const { statusCode, body } = await submit(app, '/account/delete', {}, ada.headers);
    expect({ statusCode, body }).toEqual({
      statusCode: 409,
      body: expect.stringContaining('Make someone else an admin') as string,
    });
  });

  it('asks for a new sign-in before what could take the account away', async () => {
    const ada = await newPerson();
    offset += 6 * 60_000;
    for (const url of [
      '/account/email',
      '/account/phone',
      '/account/delete',
      '/account/export/file',
    ])
      expect({ url, location: (await page(ada, url)).headers.location }).toEqual({
        url,
        location: '/login?next=/account&reason=fresh',
      });
    const kept = await submit(app, '/account/keep', {}, ada.headers);
    expect(kept.headers.location).toBe('/login?next=/account&reason=fresh');
  });
});
