import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../../../src/config.ts';

const webhookSecret = 'k7Qw9xLm2ZpR4tVb8NcY3hGf6JdS1aEu';
const sms = { SMS_URL: 'https://sms.example/send', SMS_WEBHOOK_SECRET: webhookSecret };
const placeholder = { SMS_WEBHOOK_SECRET: 'change-me-change-me-change-me-change-me' };
const twilio = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'f0e1d2c3b4a5968778695a4b3c2d1e0f',
  TWILIO_FROM: '+15550199999',
};
const mail = {
  SMTP_URL: 'smtps://user:pass@mail.example:465',
  MAIL_FROM: 'Acme <post@acme.example>',
};

function mistaken(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError
      ? error.mistakes.map(({ variable }) => variable).sort()
      : ['?'];
  }
}

describe('the settings of messages', () => {
  it.each<Record<string, string>>([
    {},
    sms,
    twilio,
    mail,
    { ...sms, ...mail },
    { ...twilio, ...mail },
    { MAIL_FROM: 'post@acme.example' },
  ])('%j are accepted', (env) => {
    expect(mistaken(env)).toEqual([]);
  });

  it.each<[Record<string, string>, string[]]>([
    [{ TWILIO_ACCOUNT_SID: twilio.TWILIO_ACCOUNT_SID }, ['TWILIO_AUTH_TOKEN', 'TWILIO_FROM']],
    [{ ...twilio, TWILIO_FROM: '' }, ['TWILIO_FROM']],
    [{ ...twilio, TWILIO_FROM: '5550199999' }, ['TWILIO_FROM']],
    [{ ...twilio, ...sms }, ['SMS_URL']],
    [{ SMS_URL: sms.SMS_URL }, ['SMS_WEBHOOK_SECRET']],
    [{ ...sms, SMS_WEBHOOK_SECRET: 'short' }, ['SMS_WEBHOOK_SECRET']],
    [{ ...sms, SMS_URL: 'https://user:pass@sms.example/' }, ['SMS_URL']],
    [{ SMTP_URL: mail.SMTP_URL }, ['MAIL_FROM']],
    [{ ...mail, MAIL_FROM: 'Acme <post@acme.example>\r\nBcc: eve@example.net' }, ['MAIL_FROM']],
    [{ ...mail, MAIL_FROM: 'a@acme.example, b@acme.example' }, ['MAIL_FROM']],
    [{ ...mail, SMTP_URL: 'mail.example:25' }, ['SMTP_URL']],
    [{ APP_NAME: 'Acme\nInc' }, ['APP_NAME']],
    [{ ...sms, ...placeholder, NODE_ENV: 'production' }, ['SMS_WEBHOOK_SECRET']],
  ])('%j are rejected', (env, variables) => {
    expect(mistaken(env)).toEqual(variables);
  });
});
