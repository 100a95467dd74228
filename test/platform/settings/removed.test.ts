import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from '../../../src/config.ts';

function mistakesOf(env: Record<string, string>): unknown {
  try {
    parseConfig(env);
    return [];
  } catch (error) {
    return error instanceof ConfigError ? error.mistakes : error;
  }
}

describe('a setting of an earlier version', () => {
  it.each([
    ['DEVICE_FIRST', 'tofu', 'set it to first_admin or nobody'],
    ['DEVICE_CLEARANCE', 'self_step_up', 'set ADMIN_API_KEY'],
    ['DEVICE_CLEARANCE', 'nonsense', 'Unset it'],
    ['OTP_PREFIX_LIMIT', '5', 'the limit is 20 codes an hour. Unset it.'],
    ['WAITLIST_POINTS', '100', 'a referral is worth 10 points. Unset it.'],
    ['DEDUPE_MEMORY_LIMIT', '64MiB', 'the limit is 256 MiB. Unset it.'],
    ['MCP_CONFORMANCE', '1', 'runs with the tests. Unset it.'],
  ])('%s=%s is refused, with what to set instead', (variable, value, message) => {
    expect(mistakesOf({ [variable]: value })).toEqual([
      { variable, message: expect.stringContaining(message) as string },
    ]);
  });

  it('may stay when it says what the service does', () => {
    const kept = { DEVICE_CLEARANCE: 'four_eyes', OTP_PREFIX_LIMIT: '20', WAITLIST_POINTS: '10' };
    expect(mistakesOf({ ...kept, DEDUPE_MEMORY_LIMIT: '256MiB' })).toEqual([]);
  });

  it('is reported together with all other mistakes', () => {
    const mistakes = mistakesOf({ WAITLIST_POINTS: '5', DEVICE_FIRST: 'tofu', PORT: 'x' });
    expect(mistakes).toHaveLength(3);
  });
});
