import { describe, expect } from 'vitest';
import { TestClient } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { it } from '../../../support/test.ts';

const app = await sharedApp();
const client = new TestClient(app);

describe('a sign-in without an identity provider', () => {
  it('is 503 with a reason, and logs no error', async () => {
    for (const prefix of ['/api/auth', '/auth']) {
      for (const url of [
        `${prefix}/idp/start`,
        `${prefix}/idp/callback?code=x&state=y`,
        `${prefix}/cmyk/idp/callback?code=x&state=y`,
      ])
        for (const headers of [{}, { accept: 'text/html' }]) {
          const response = await client.get(url, { headers: { ...headers } });
          expect(response.status, url).toBe(503);
          expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
        }
      const initiated = await client.post(`${prefix}/cmyk/idp/initiate`, {});
      expect(initiated).toBeProblem(503, 'auth.oauth_not_configured');
    }
    const lines = app
      .log()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as { level: string; status?: number });
    const refusals = lines.filter(({ status }) => status === 503);
    expect(refusals).toHaveLength(14);
    for (const { level } of refusals) expect(level).toBe('warn');
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
