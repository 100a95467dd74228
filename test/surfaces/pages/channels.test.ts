import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loginPage } from '../../../src/surfaces/account/login-pages.tsx';
import { markupOf } from '../../support/markup.ts';
import { inventory } from '../../support/abuse.ts';
import { freshApp, type FreshApp } from '../../support/app.ts';
import { describedBy, origin, submit, titleOf } from './support.ts';

const random = 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80';
const production = {
  NODE_ENV: 'production',
  AUTH_SECRET: random,
  ADMIN_API_KEY: 'Zt9_8b3f5a1c6e2d4097-c4d8e0f2b6a81357',
  BASE_URL: origin,
};
const labelOf = (page: string) => /<label for="identifier">([^<]*)</.exec(page)?.[1];

describe('the sign-in page asks for identifiers of available channels', () => {
  const page = (channels: { sms: boolean; email: boolean }, hasProvider = false) =>
    markupOf(
      loginPage(
        { at: 'identifier', identifier: '', next: '/' },
        {
          appName: 'Acme',
          hasSignup: true,
          hasProvider,
          channels,
          codeMinutes: 5,
          passkeyOrigin: undefined,
          contactEmail: undefined,
          bypass: [],
        },
      ).body,
    );

  it.each([
    [{ sms: true, email: true }, 'Email or phone number', /country code/],
    [{ sms: false, email: true }, 'Email', /^We’ll send you a code\.$/],
    [{ sms: true, email: false }, 'Phone number', /country code/],
  ])('%j', (channels, label, hint) => {
    const body = page(channels);
    expect(labelOf(body)).toBe(label);
    expect(describedBy(body, 'identifier')).toMatch(hint);
    expect(body).not.toContain('company account');
  });

  it('for nothing without channels, but still links to the identity provider', () => {
    for (const hasProvider of [false, true]) {
      const body = page({ sms: false, email: false }, hasProvider);
      expect(body).toMatch(
        new RegExp(
          'role="status">.*<span>You can’t sign in with a code because ' +
            'this service isn’t set up to send email or SMS\\.',
        ),
      );
      expect(body).not.toMatch(/<form|<input|<button/);
      expect(body.includes('Continue with company account')).toBe(hasProvider);
    }
  });
});

describe('in production with only email', () => {
  let app: FreshApp;
  beforeAll(async () => {
    app = await freshApp({
      env: { ...production, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'post@acme.example' },
    });
  }, 30_000);
  afterAll(() => app.close());

  it('the page asks for an address, and refuses a phone number beside the field', async () => {
    const { body } = await app.http.inject('/login');
    expect({ title: titleOf(body), label: labelOf(body) }).toEqual({
      title: 'Sign in',
      label: 'Email',
    });
    const before = await inventory(app);
    const refused = await submit(app, '/login', { identifier: '+14155550199' });
    expect({ status: refused.statusCode, title: titleOf(refused.body) }).toEqual({
      status: 422,
      title: 'Error: Sign in',
    });
    expect(describedBy(refused.body, 'identifier')).toBe(
      'Enter an email address like name@example.com. | We’ll send you a code.',
    );
    expect(await inventory(app)).toEqual(before);
    expect((await app.http.inject('/api/auth/status')).json()).toMatchObject({
      methods: ['otp_email'],
    });
    expect(
      titleOf((await submit(app, '/login', { identifier: 'channels@example.com' })).body),
    ).toBe('Enter your code');
  });
});
