import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../../../src/config.ts';
import { productionWarnings } from '../../../src/platform/settings/production.ts';

const [secret, second, third, fourth] = [
  '9f2c61e07b3d84aa5c1f0e9d72b6384f',
  '4e9b07d25c81f36ab0947fe2d861c35a',
  'd1a5c8e37096b24f8d3ac75e10f9b642',
  '7c1d94e0ab5f3826d40b9ec75f12a8d3',
];

const safe = {
  NODE_ENV: 'production',
  BASE_URL: 'https://svc.example',
  TRUST_PROXY: '10.0.0.0/8, 127.0.0.1',
  AUTH_SECRET: secret,
  SITE_REGISTRATION: 'closed',
  SMTP_URL: `smtps://mailer:${fourth}@mail.example:465`,
  MAIL_FROM: 'post@svc.example',
};

function mistakesOf(env: Record<string, string>): string[] {
  try {
    parseConfig({ ...safe, ...env });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.mistakes.map(({ variable, message }) => `${variable} ${message}`);
  }
}

const warned = (env: Record<string, string>): string[] =>
  productionWarnings(parseConfig({ ...safe, ...env })).map(({ variable }) => variable);

describe('production refuses a guessable secret, names it, and says what to do', () => {
  const guessable = '0123456789abcdef0123456789abcdef';
  it.each<[string, Record<string, string>]>([
    ['ADMIN_API_KEY', { ADMIN_API_KEY: guessable }],
    ['AUTH_SECRET', { AUTH_SECRET: 'changemechangemechangemechangeme' }],
    ['IDP_CLIENT_SECRET', { IDP_CLIENT_SECRET: 'hunter2' }],
    [
      'PAYMENTS_WEBHOOK_SECRET',
      { PAYMENTS_WEBHOOK_SECRET: `whsec_${second},aaaaaaaaaaaaaaaaaaaa` },
    ],
    ['SMS_WEBHOOK_SECRET', { SMS_WEBHOOK_SECRET: 'qwertyuiopasdfghjklzxcvbnm123456' }],
    [
      'TWILIO_AUTH_TOKEN',
      {
        TWILIO_ACCOUNT_SID: `AC${second}`,
        TWILIO_FROM: '+15551234567',
        TWILIO_AUTH_TOKEN: '00000000000000000000000000000000',
      },
    ],
  ])('%s', (variable, env) => {
    const [mistake = '', ...others] = mistakesOf(env);
    expect(others).toEqual([]);
    expect(mistake).toMatch(
      new RegExp(`^${variable} is guessable: it [^;]+; production requires `),
    );
    expect(mistake).toMatch(
      /(a random one \(openssl rand -hex 32\)|the (?:secret|token) from .+)$/,
    );
    for (const value of Object.values(env)) expect(mistake).not.toContain(value);
    expect(() => parseConfig({ ...safe, ...env, NODE_ENV: 'development' })).not.toThrow();
  });

  it('two identical secrets', () => {
    expect(mistakesOf({ ADMIN_API_KEY: safe.AUTH_SECRET })).toEqual([
      'AUTH_SECRET is the same as ADMIN_API_KEY; use a different value for each',
    ]);
    expect(mistakesOf({ PAYMENTS_WEBHOOK_SECRET: `${second},${secret}` })).toEqual([
      'PAYMENTS_WEBHOOK_SECRET is the same as AUTH_SECRET; use a different value for each',
    ]);
    expect(mistakesOf({ ADMIN_API_KEY: second, PAYMENTS_WEBHOOK_SECRET: third })).toEqual([]);
  });
});

describe('production warns of each protection that is off', () => {
  it('no warning when all are on', () => {
    expect(warned({})).toEqual([]);
  });

  it.each<[string, Record<string, string>]>([
    ['RATE_LIMIT', { RATE_LIMIT: 'off' }],
    ['OTP_LIMITS', { OTP_LIMITS: 'off' }],
    ['OTP_COUNTRIES', { SMS_URL: 'https://sms.example/hook', SMS_WEBHOOK_SECRET: second }],
    ['DEVICE_BINDING', { DEVICE_BINDING: 'none' }],
    ['TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '127.0.0.1, ::/0' }],
    ['TRUST_PROXY', { TRUST_PROXY: '0.0.0.0/1,128.0.0.0/1' }],
    ['TRUST_PROXY', { TRUST_PROXY: '' }],
    ['SITE_REGISTRATION', { SITE_REGISTRATION: 'open' }],
    ['ADMIN_API_KEY', { ADMIN_API_KEY: second }],
    ['BASE_URL', { BASE_URL: 'http://svc.example' }],
    ['BASE_URL', { BASE_URL: '' }],
    ['SMTP_URL', { SMTP_URL: '' }],
    ['DATABASE_URL', { DATABASE_URL: 'postgres://service:postgres@db.example/service' }],
    ['REDIS_URL', { REDIS_URL: 'redis://:changeme@redis.example:6379' }],
    ['SMTP_URL', { SMTP_URL: 'smtps://mailer:password123@mail.example:465' }],
  ])('%s, with %j', (variable, env) => {
    expect(warned(env)).toEqual([variable]);
    expect(productionWarnings(parseConfig({ ...safe, ...env, NODE_ENV: 'development' }))).toEqual(
      [],
    );
  });

  it('an open port without a proxy', () => {
    expect(warned({ TRUST_PROXY: '', HOST: '0.0.0.0', BASE_URL: 'http://svc.example' })).toEqual([
      'BASE_URL',
      'TRUST_PROXY',
    ]);
  });
});
