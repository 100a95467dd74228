import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { asBrowser, contactClient, letter } from './support.ts';

const second = 1000;
const hour = 3_600_000;
let app: TestApp;
let client: ReturnType<typeof contactClient>;
let offset = 0;
const clock = { now: () => Date.now() + offset };
beforeAll(async () => {
  app = await sharedApp('plain', { clock });
  client = contactClient(app);
}, 60_000);
beforeEach(async () => {
  offset = 0;
  await client.reset();
});

/** The signed time in a new form. */
async function formTime(): Promise<string> {
  const { body } = await app.http.inject({ url: '/contact', headers: asBrowser });
  return /name="form" value="([^"]+)"/.exec(body)?.[1] ?? '';
}

describe('the contact page', () => {
  it('has a form that works without scripts, and none inline', async () => {
    const page = await app.http.inject({ url: '/contact', headers: asBrowser });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.body).toContain('<form class="form" method="post" action="/contact"');
    expect(page.body).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('accepts what a browser sends without a script', async () => {
    const form = await formTime();
    offset = 4 * second;
    const fields = { ...letter, message: 'One\r\nTwo', topic: '', subject: '', website: '' };
    const answer = await client.submit({ ...fields, altcha: '', form });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain('Message sent');
    expect(await client.rows()).toMatchObject([{ message: 'One\nTwo', proof: 'none' }]);
  });

  it('accepts a solution from the script', async () => {
    const form = await formTime();
    offset = 4 * second;
    const answer = await client.submit({ ...letter, form, altcha: await client.solution() });
    expect(answer.statusCode).toBe(200);
    expect((await client.rows())[0]?.proof).toBe('solved');
  });

  it.each([
    ['too fast', 2 * second, (time: string) => time, 'That was quick'],
    ['after twelve hours', 13 * hour, (time: string) => time, 'open for too long'],
    ['with a time of its own', 4 * second, () => 'mabcdefg.'.padEnd(52, 'A'), 'open for too long'],
    [
      'with an earlier time',
      0,
      (time: string) => `${(Date.now() - hour).toString(36)}${time.slice(8)}`,
      'open for too long',
    ],
    ['without a time', 4 * second, () => '', 'open for too long'],
  ])('refuses a form that is sent %s, and keeps its text', async (_when, ms, change, sentence) => {
    const form = change(await formTime());
    offset = ms;
    const message = 'Kept </textarea><script>alert(1)</script>';
    const answer = await client.submit({ ...letter, message, form });
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(sentence);
    expect(answer.body).toContain('Kept &lt;/textarea&gt;&lt;script&gt;');
    expect(answer.body).toContain(letter.email);
    expect(await client.rows()).toEqual([]);
  });

  it('shows what is wrong beside the field', async () => {
    const form = await formTime();
    offset = 4 * second;
    const answer = await client.submit({ ...letter, email: 'nowhere', form });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('id="email-error"');
    expect(answer.body).not.toContain('id="name-error"');
  });

  it('shows all errors at once, also a wrong address beside a missing message', async () => {
    const form = await formTime();
    offset = 4 * second;
    const answer = await client.submit({ ...letter, email: 'nowhere', message: '', form });
    expect(answer.statusCode).toBe(422);
    for (const name of ['email', 'message']) expect(answer.body).toContain(`id="${name}-error"`);
    expect(answer.body).not.toContain('id="name-error"');
    expect(await client.rows()).toEqual([]);
  });

  it('shows spam programs the same page', async () => {
    const form = await formTime();
    offset = 4 * second;
    const honest = await client.submit({ ...letter, form });
    const trapped = await client.submit({ ...letter, form, website: 'x' });
    expect(trapped.body).toBe(honest.body);
    expect((await client.rows()).map(({ status }) => status)).toEqual(['new', 'spam']);
  });

  it('keeps the text of a message above the limit', async () => {
    const form = await formTime();
    offset = 4 * second;
    const address = '203.0.113.9';
    const submit = () => client.submit({ ...letter, form }, { ...asBrowser, address });
    await submit();
    await submit();
    const refused = await submit();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.body).toContain(letter.message);
    expect(await client.rows()).toHaveLength(2);
  });
});
