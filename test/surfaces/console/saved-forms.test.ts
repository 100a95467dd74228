import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { faultsOf, home, origin, personOf } from './pages.ts';

const times = { ahead: 0 };
const app = await sharedApp('console', { clock: { now: () => Date.now() + times.ahead } });
let admin = await personOf(app, 'ada@example.com', ['admin']);
let other = await personOf(app, 'bo@example.com', ['admin']);

/** Sends a form from a page with a sign-in that is too old; returns the page to come back to. */
async function sendTooLate(page: string, action: string, values: Record<string, string>) {
  times.ahead += 31 * 60_000;
  const { status, headers } = await admin.form(action, values, {
    headers: { referer: `${origin}${home}${page}` },
  });
  expect(status).toBe(303);
  const location = new URL(String(headers.location), origin);
  expect(location.pathname).toBe('/login');
  expect(location.searchParams.get('reason')).toBe('fresh');
  admin = await personOf(app, 'ada@example.com', ['admin']);
  return location.searchParams.get('next') ?? '';
}

describe('a form of the console that is sent with an old sign-in', () => {
  it('is shown again as it was filled in, after signing in again', async () => {
    const note = 'Welcome "Kim" & <friends> $&';
    const next = await sendTooLate('users/invitations/new', 'users/invitations', {
      email: 'kim@example.com',
      role: 'viewer',
      note,
    });
    expect(next).toMatch(/^\/api\/svc\/console\/users\/invitations\/new\?form=[\w-]+$/);
    const { status, text } = await admin.page(next);
    expect(status).toBe(200);
    expect(text).toMatch(/<textarea[^>]* name="email"[^>]*>\s*kim@example\.com</);
    expect(text).toMatch(/value="viewer"[^>]* checked/);
    expect(text).toContain('Welcome &quot;Kim&quot; &amp; &lt;friends&gt; $&amp;');
    expect(text).toContain('Check what you entered, then submit the form again.');
    const { data } = await app.services.invitations.list({ limit: 10 });
    expect(data).toEqual([]);
  });

  it('is shown to nobody else, and only while it is kept', async () => {
    const next = await sendTooLate('keys/new', 'keys', {
      name: 'Night export',
      allows: 'all',
    });
    other = await personOf(app, 'bo@example.com', ['admin']);
    expect((await other.page(next)).text).not.toContain('Night export');
    expect((await admin.page(next)).text).toContain('value="Night export"');
    const { text } = await admin.page(next);
    expect(text).toMatch(/value="all"[^>]* checked/);
    expect(text.match(/name="allows"[^>]* checked/g)).toHaveLength(1);
    for (const key of await app.services.redis.keys('*console:kept-form:*')) {
      expect(await app.services.redis.get(key)).not.toContain('Night');
      await app.services.redis.del(key);
    }
    const after = await admin.page(next);
    expect(after.status).toBe(200);
    expect(after.text).not.toContain('Night export');
    const { data } = await app.services.apiKeys.list({ limit: 10 });
    expect(data).toEqual([]);
  });

  it('keeps no passwords and no words of confirmation, and no texts in the URL', async () => {
    const next = await sendTooLate('users', `users/${admin.userId}/disable`, {
      confirm: 'ada@example.com',
      password: 'a secret word',
    });
    expect(next).toBe(`${home}users`);
  });
});

describe('a form of the console that is refused', () => {
  const values = {
    name: '',
    body: 'We <look> into it.',
    impact: 'major',
    'component.redis': 'major_outage',
  };
  const send = (headers: Record<string, string>) =>
    admin.form('status/incidents', values, { headers });

  it('is shown on its page as it was filled in, with what is wrong at the field', async () => {
    const { status, text } = await send({ referer: `${origin}${home}status/incidents/new` });
    expect(status).toBe(422);
    expect(text).toMatch(/<title>Error: Open incident/);
    expect(text).toMatch(/id="notice"[^>]*>\s*<div class="toast bar-note bar-note-bad">/);
    expect(text).toContain('Nothing was changed. Name: Fill in this field.');
    expect(text).toMatch(/id="incident-name"[^>]* aria-invalid="true"/);
    expect(text).toMatch(/aria-describedby="incident-name-error incident-name-hint"/);
    expect(text).toMatch(/<p class="field-error" id="incident-name-error">/);
    expect(text.match(/aria-invalid/g)).toHaveLength(1);
    expect(text).toContain('We &lt;look&gt; into it.');
    expect(text).toMatch(/<option value="major" selected>/);
    expect(await faultsOf(text)).toEqual([]);
    expect(app.services.status.state().incidents).toEqual([]);
  });

  it('names fields as they are labelled on the screen', async () => {
    const page = `${home}status/incidents/new`;
    const wrong = { ...values, name: 'Slow', body: '' };
    const headers = { referer: `${origin}${page}` };
    const { text } = await admin.form('status/incidents', wrong, { headers });
    expect(text).toContain('Nothing was changed. First message: Fill in this field.');
    expect(text).not.toContain('Body:');
  });

  it('gets a page of its own without a page that it is on, and programs get JSON', async () => {
    for (const referer of ['https://elsewhere.example/status', `${origin}${home}nowhere`, '#']) {
      const { status, text } = await send({ referer });
      expect(status).toBe(422);
      expect(text).toContain('Nothing was changed. Name:');
      expect(text).not.toContain('aria-invalid');
    }
    const program = { accept: 'application/json', 'sec-fetch-mode': 'cors' };
    const refused = await send({ ...program, referer: `${origin}${home}status` });
    expect(refused).toMatchObject({ status: 422, body: { detail: [{ loc: ['body'] }] } });
  });
});
