import { describe, expect, it } from 'vitest';
import { developmentNotice } from '../../src/app/development-notice.ts';
import { parseConfig } from '../../src/config.ts';
import { developmentOf } from '../../src/platform/http/development.ts';

const secret = 'b7d84c0f91ab5d3e6c2f4a80Kq74f1e7c92';

describe('the start-up notice about development conveniences', () => {
  const all = { hasBypass: true, kept: ['email', 'SMS'] };
  const notice = (env: Record<string, string>, conveniences = all) => {
    const config = parseConfig(env);
    return developmentNotice(config, developmentOf(config), conveniences);
  };

  it('names what is on, or why nothing is, in one line, and is absent in production', () => {
    expect(notice({})).toBe(
      'Development conveniences are on, for requests from this machine only: anyone can ' +
        'sign in without a code at /api/auth/dev/bypass/{email}; email and SMS are kept at ' +
        '/dev/outbox instead of being sent. NODE_ENV=production turns them off.',
    );
    expect(notice({}, { hasBypass: false, kept: ['SMS'] })).toContain(
      ': SMS are kept at /dev/outbox instead of being sent.',
    );
    expect(notice({}, { hasBypass: false, kept: [] })).toContain(
      'No development conveniences are on',
    );
    expect(notice({ BASE_URL: 'https://svc.example' })).toBe(
      'Development conveniences are off: BASE_URL is not an address of this machine. ' +
        'Set NODE_ENV=production if others use this service.',
    );
    expect(notice({ HOST: '0.0.0.0' })).toContain('off: HOST is not');
    expect(notice({ NODE_ENV: 'production', AUTH_SECRET: secret })).toBeUndefined();
  });
});
