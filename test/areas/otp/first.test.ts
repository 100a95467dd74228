import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../support/app.ts';
import { codeFor, post, signInByEmail } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await buildTestApp();
  await app.services.queues.start();
}, 30_000);
afterAll(() => app.close());

it('a person signs in by phone and is known by the token', async () => {
  const sent = await post(app, '/api/auth/mobile/initiate', { phone: '+1 415 555 0132' });
  expect(sent).toMatchObject({ status: 200, body: { success: true, to: '+1•••••0132', channel: 'sms' } });
  const code = await codeFor(app, '+14155550132');
  const answer = await post(app, '/auth/mobile/verify', { phone: '+14155550132', code });
  expect(answer.body).toMatchObject({ token_type: 'Bearer', is_new_user: true, status: 'authenticated', user: { phone_number: '+14155550132' } });
  const me = await app.http.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${String(answer.body.access_token)}` } });
  expect(me.json()).toMatchObject({ phone_number: '+14155550132', amr: ['otp', 'sms'], acr: 'aal1', authenticated: true });
});

it('and by e-mail', async () => {
  const { bearer } = await signInByEmail(app, 'Ada@Example.com');
  const me = await app.http.inject({ url: '/auth/me', headers: bearer });
  expect(me.json()).toMatchObject({ email: 'Ada@Example.com', email_verified: true });
});
