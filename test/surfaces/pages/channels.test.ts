import { brandNamed } from '../../support/brand.ts';
import { describe, expect, it } from 'vitest';
import { loginPage } from '../../../src/surfaces/account/login-pages.tsx';
import { markupOf } from '../../support/markup.ts';
import { inventory } from '../../support/abuse.ts';
import { freshApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';
import { describedBy, origin, titled } from './support.ts';

const production = {
  NODE_ENV: 'production',
  AUTH_SECRET: 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80',
  ADMIN_API_KEY: 'Zt9_8b3f5a1c6e2d4097-c4d8e0f2b6a81357',
  BASE_URL: origin,
};
const labelOf = (page: string) => /<label for="identifier">([^<]*)</.exec(page)?.[1];

describe('the sign-in page', () => {
  const page = (channels: { sms: boolean; email: boolean }, hasProvider = false) =>
    markupOf(
      loginPage(
        { at: 'identifier', identifier: '', next: '/' },
        {
          brand: brandNamed('Acme'),
          hasSignup: () => true,
          hasProvider,
          channels,
          codeMinutes: 5,
          passkeyOrigin: undefined,
          bypass: [],
        },
      ).body,
    );

  it.each([
    [{ sms: true, email: true }, 'Email or phone number', /country code/],
    [{ sms: false, email: true }, 'Email', /^We’ll send you a code\.$/],
    [{ sms: true, email: false }, 'Phone number', /country code/],
  ])('asks with the channels %j for: %s', (channels, label, hint) => {
    const body = page(channels);
    expect(labelOf(body)).toBe(label);
    expect(describedBy(body, 'identifier')).toMatch(hint);
    expect(body).not.toContain('company account');
  });

  it.each([false, true])(
    'asks for nothing without channels, but links to the identity provider: %s',
    (hasProvider) => {
      const body = page({ sms: false, email: false }, hasProvider);
      expect(body).toMatch(
        new RegExp(
          'role="status">.*<span>Codes can’t be sent at the moment: ' +
            'neither email nor SMS is set up\\.',
        ),
      );
      expect(body).not.toMatch(/<form|<input|<button/);
      expect(body.includes('Continue with company account')).toBe(hasProvider);
    },
  );
});

describe('in production with only email', async () => {
  const app = await freshApp({
    env: { ...production, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'post@acme.example' },
  });

  it('the page asks for an address, and refuses a phone number beside the field', async () => {
    const client = new TestClient(app);
    const page = await client.get('/login');
    expect(page).toMatchObject(titled(200, 'Sign in'));
    expect(labelOf(page.text)).toBe('Email');
    const before = await inventory(app);
    const refused = await client.form('/login', { identifier: '+14155550199' });
    expect(refused).toMatchObject(titled(422, 'Error: Sign in'));
    expect(describedBy(refused.text, 'identifier')).toBe(
      'Enter an email address like name@example.com. | We’ll send you a code.',
    );
    expect(await inventory(app)).toEqual(before);
    expect((await client.get('/api/auth/status')).body).toMatchObject({ methods: ['otp_email'] });
    expect(await client.form('/login', { identifier: 'channels@example.com' })).toMatchObject(
      titled(200, 'Enter your code'),
    );
  });
});
