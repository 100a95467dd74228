import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await sharedApp();
});

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { level: string; status?: number });

describe('a sign-in without an identity provider', () => {
  it('is 503 with a reason, and logs no error', async () => {
    for (const prefix of ['/api/auth', '/auth']) {
      for (const url of [
        `${prefix}/idp/start`,
        `${prefix}/idp/callback?code=x&state=y`,
        `${prefix}/cmyk/idp/callback?code=x&state=y`,
      ]) {
        for (const headers of [{}, { accept: 'text/html' }]) {
          const response = await app.http.inject({ url, headers });
          expect({
            url,
            status: response.statusCode,
            saysWhen: Number(response.headers['retry-after']) > 0,
          }).toEqual({ url, status: 503, saysWhen: true });
        }
      }
      const begun = await app.http.inject({
        method: 'POST',
        url: `${prefix}/cmyk/idp/initiate`,
        payload: {},
      });
      expect({ status: begun.statusCode, body: begun.json<unknown>() }).toMatchObject({
        status: 503,
        body: { code: 'auth.oauth_not_configured' },
      });
    }
    const lines = linesOf(app.log());
    expect(lines.filter(({ status }) => status === 503).map(({ level }) => level)).toEqual(
      Array<string>(14).fill('warn'),
    );
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
