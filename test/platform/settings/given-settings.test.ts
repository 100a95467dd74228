import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config.ts';

const token = 'k0123456789abcdef0123456789abcdef';

describe('a setting', () => {
  it.each([`${token}\n`, `${token}\r\n`, ` ${token} `, `\t${token}`])(
    'is read without the white space around it, as files of secrets end with a line: %j',
    (given) => {
      const config = parseConfig({
        ADMIN_API_KEY: given,
        IDP_ISSUER: ' https://login.example.com\n',
        IDP_CLIENT_ID: 'client\n',
        IDP_CLIENT_SECRET: given,
        PORT: '4000\n',
      });
      expect(config).toMatchObject({
        ADMIN_API_KEY: token,
        IDP_ISSUER: 'https://login.example.com',
        IDP_CLIENT_ID: 'client',
        IDP_CLIENT_SECRET: token,
        PORT: 4000,
      });
    },
  );

  it('keeps what is inside, and the secret that keys are derived from as it is', () => {
    const config = parseConfig({ APP_NAME: ' Two  words\n', AUTH_SECRET: `${token}\n` });
    expect(config.APP_NAME).toBe('Two  words');
    expect(config.AUTH_SECRET).toBe(`${token}\n`);
  });

  it.each(['', ' ', '\n'])('counts as unset when it is %j', (given) => {
    const config = parseConfig({ ADMIN_API_KEY: given, AUTH_SECRET: given });
    expect(config.ADMIN_API_KEY).toBeUndefined();
    expect(config.AUTH_SECRET).toBeUndefined();
  });
});
