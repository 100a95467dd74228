import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../../../src/config.ts';
import { olderSecret, secret } from './provider.ts';

function mistaken(value: string, env: Record<string, string> = {}): string[] {
  try {
    parseConfig({ PAYMENTS_WEBHOOK_SECRET: value, ...env });
    return [];
  } catch (error) {
    expect(String(error)).not.toContain(value);
    return error instanceof ConfigError ? error.mistakes.map(({ variable }) => variable) : ['?'];
  }
}

const production = { NODE_ENV: 'production' };

describe('PAYMENTS_WEBHOOK_SECRET', () => {
  it('is one secret or two', () => {
    const read = (value: string) =>
      parseConfig({ PAYMENTS_WEBHOOK_SECRET: value }).PAYMENTS_WEBHOOK_SECRET;
    expect(read(secret)).toEqual([secret]);
    expect(read(` ${secret} , ${olderSecret},`)).toEqual([secret, olderSecret]);
    expect(read('')).toBeUndefined();
    expect(mistaken(secret, production)).toEqual([]);
  });

  it.each(['whsec_short', `${secret},whsec_short`, ' , ', `${secret},${olderSecret},${secret}x`])(
    '%j is rejected',
    (value) => {
      expect(mistaken(value)).toEqual(['PAYMENTS_WEBHOOK_SECRET']);
    },
  );

  it.each([
    'whsec_change_me_please',
    `${secret},whsec_placeholder`,
    `${secret},aaaaaaaaaaaaaaaaaaaa`,
  ])('%j is rejected in production', (value) => {
    expect(mistaken(value)).toEqual([]);
    expect(mistaken(value, production)).toEqual(['PAYMENTS_WEBHOOK_SECRET']);
  });
});
