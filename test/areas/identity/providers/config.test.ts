import { describe, expect, it } from 'vitest';
import {
  lacksClientId,
  providerSettings,
} from '../../../../src/areas/identity/providers/settings.ts';
import { ConfigError, parseConfig } from '../../../../src/config.ts';

const random = 'Kq7-4f1e7c92b7d84c0f-91ab5d3e6c2f4a80';
const whole = {
  IDP_ISSUER: 'https://login.company.test',
  IDP_CLIENT_ID: 'svc-console-7f3a',
  IDP_CLIENT_SECRET: random,
};

function mistakesOf(env: Record<string, string>): string[] {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).not.toContain(random);
    return error.mistakes.map(({ variable }) => variable);
  }
}

describe('the settings of the identity provider', () => {
  it('are complete with all three and a real client id', () => {
    expect(providerSettings(parseConfig(whole))).toEqual({
      issuer: whole.IDP_ISSUER,
      clientId: whole.IDP_CLIENT_ID,
      clientSecret: random,
    });
    for (const name of Object.keys(whole))
      expect(providerSettings(parseConfig({ ...whole, [name]: '' }))).toBeUndefined();
  });

  it.each([
    'change-me',
    'CHANGEME',
    'placeholder',
    'your-client-id-placeholder',
    'example',
    'xxxxxxxx',
    '',
  ])('are incomplete with the client id %j', (id) => {
    const config = parseConfig({ ...whole, IDP_CLIENT_ID: id });
    expect({
      providerSettings: providerSettings(config),
      lacksClientId: lacksClientId(config),
    }).toEqual({ providerSettings: undefined, lacksClientId: true });
  });

  it.each([
    ['com.company.app:/signed-in', []],
    ['https://app.company.test/a, http://127.0.0.1:8000/b', []],
    ['http://app.company.test/', ['IDP_REDIRECT_URIS']],
    ['javascript:alert(1)', ['IDP_REDIRECT_URIS']],
    ['/relative', ['IDP_REDIRECT_URIS']],
    ['https://a.test/#b', ['IDP_REDIRECT_URIS']],
  ])('redirect addresses %j: mistakes %j', (list, mistakes) => {
    expect(mistakesOf({ IDP_REDIRECT_URIS: list })).toEqual(mistakes);
  });

  it('require TLS and a real secret in production', () => {
    const production = { NODE_ENV: 'production', ...whole };
    expect(mistakesOf(production)).toEqual([]);
    expect(mistakesOf({ ...production, IDP_ISSUER: 'http://127.0.0.1:9000' })).toEqual([]);
    expect(mistakesOf({ ...production, IDP_ISSUER: 'http://login.company.test' })).toEqual([
      'IDP_ISSUER',
    ]);
    expect(mistakesOf({ ...production, IDP_CLIENT_SECRET: 'changeme' })).toEqual([
      'IDP_CLIENT_SECRET',
    ]);
    expect(mistakesOf({ IDP_ISSUER: 'https://login.company.test/?a=b' })).toEqual(['IDP_ISSUER']);
  });
});
