import { beforeEach, describe, expect } from 'vitest';
import { hourMs } from '../../../src/lib/durations.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { contactClient, letter } from './support.ts';

let offset = 0;
const clock = { now: () => Date.now() + offset };
const app = await sharedApp('plain', { clock });
const contact = contactClient(app);
beforeEach(async () => {
  offset = 0;
  await contact.reset();
});

/** The signed time in a new form. */
async function formTime(): Promise<string> {
  const { text } = await contact.client.page('/contact');
  return /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';
}

/** The time of a form that somebody took four seconds to fill in. */
async function readForm(): Promise<string> {
  const form = await formTime();
  offset = 4000;
  return form;
}

describe('the contact page', () => {
  it('has a form that works without scripts, and none inline', async () => {
    const page = await contact.client.page('/contact');
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe-inline');
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).toContain('<form class="form" method="post" action="/contact"');
    expect(page.text).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('accepts what a browser sends without a script', async () => {
    const form = await readForm();
    const fields = { ...letter, message: 'One\r\nTwo', topic: '', subject: '', website: '' };
    const answer = await contact.submit({ ...fields, altcha: '', form });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Message sent');
    expect(await contact.rows()).toMatchObject([{ message: 'One\nTwo', proof: 'none' }]);
  });

  it('accepts a solution from the script', async () => {
    const form = await readForm();
    const answer = await contact.submit({ ...letter, form, altcha: await contact.solution() });
    expect(answer.status).toBe(200);
    expect((await contact.rows())[0]?.proof).toBe('solved');
  });

  it.each([
    ['too fast', 2000, (time: string) => time, 'That was quick'],
    ['after twelve hours', 13 * hourMs, (time: string) => time, 'open for too long'],
    ['with a time of its own', 4000, () => 'mabcdefg.'.padEnd(52, 'A'), 'open for too long'],
    [
      'with an earlier time',
      0,
      (time: string) => `${(Date.now() - hourMs).toString(36)}${time.slice(8)}`,
      'open for too long',
    ],
    ['without a time', 4000, () => '', 'open for too long'],
  ])('refuses a form that is sent %s, and keeps its text', async (_when, ms, change, sentence) => {
    const form = change(await formTime());
    offset = ms;
    const message = 'Kept </textarea><script>alert(1)</script>';
    const answer = await contact.submit({ ...letter, message, form });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain(sentence);
    expect(answer.text).toContain('Kept &lt;/textarea&gt;&lt;script&gt;');
    expect(answer.text).toContain(letter.email);
    expect(await contact.rows()).toEqual([]);
  });

  it('shows what is wrong beside the field', async () => {
    const form = await readForm();
    const answer = await contact.submit({ ...letter, email: 'nowhere', form });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('id="email-error"');
    expect(answer.text).not.toContain('id="name-error"');
  });

  it('shows all errors at once, also a wrong address beside a missing message', async () => {
    const form = await readForm();
    const answer = await contact.submit({ ...letter, email: 'nowhere', message: '', form });
    expect(answer.status).toBe(422);
    for (const name of ['email', 'message']) expect(answer.text).toContain(`id="${name}-error"`);
    expect(answer.text).not.toContain('id="name-error"');
    expect(await contact.rows()).toEqual([]);
  });

  it('shows spam programs the same page', async () => {
    const form = await readForm();
    const honest = await contact.submit({ ...letter, form });
    const trapped = await contact.submit({ ...letter, form, website: 'x' });
    expect(trapped.text).toBe(honest.text);
    expect((await contact.rows()).map(({ status }) => status)).toEqual(['new', 'spam']);
  });

  it('keeps the text of a message above the limit', async () => {
    const form = await readForm();
    const address = '203.0.113.9';
    const submit = () => contact.submit({ ...letter, form }, { from: address });
    await submit();
    await submit();
    const refused = await submit();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.text).toContain(letter.message);
    expect(await contact.rows()).toHaveLength(2);
  });
});
