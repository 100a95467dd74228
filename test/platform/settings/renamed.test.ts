import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config.ts';
import { renamedSettings } from '../../../src/platform/settings/renamed.ts';

describe('a setting with its old name', () => {
  const old = { QUESTION_DEADLINE_SECONDS: '7' };

  it('still works, with a warning that names the new one', () => {
    expect(parseConfig(old).QUERY_TIMEOUT_SECONDS).toBe(7);
    expect(renamedSettings(old)).toEqual([
      {
        variable: 'QUESTION_DEADLINE_SECONDS',
        message: expect.stringContaining('is now QUERY_TIMEOUT_SECONDS') as string,
      },
    ]);
    expect(renamedSettings({ QUERY_TIMEOUT_SECONDS: '7' })).toEqual([]);
  });

  it('does not count where the new one is set, too', () => {
    expect(parseConfig({ ...old, QUERY_TIMEOUT_SECONDS: '5' }).QUERY_TIMEOUT_SECONDS).toBe(5);
  });
});
