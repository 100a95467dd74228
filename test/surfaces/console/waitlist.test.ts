import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { People } from '../../areas/waitlist/people.ts';
import { redirectTo } from '../../support/responses.ts';
import { faultsOf, home, personOf } from './pages.ts';

const app = await sharedApp('console');
const people = new People(app);
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

/** A person who waits, added by the service: links of this app are on another origin. */
async function added(name: string): Promise<string> {
  const answer = await app.services.waitlistEntries.service.create?.(
    { email: people.newAddress(), name, verified_because: 'A test' },
    { actor: { kind: 'anonymous' }, address: '127.0.0.1', requestId: 'test' },
  );
  return String(answer?.id);
}

describe('the waitlist in the console', () => {
  it('shows who is next, approves them, and shows the progress', async () => {
    const [first, second] = [await added('First <b>'), await added('Second')];
    const page = await admin.page('waitlist');
    expect(page.status).toBe(200);
    expect(await faultsOf(page.text)).toEqual([]);
    expect(page.text).toContain('First &lt;b&gt;');
    const [, all = ''] = /href="([^"]+)"[^>]*>Entries \d+</.exec(page.text) ?? [];
    expect((await admin.page(all)).text).toContain('<h1>Waitlist</h1>');
    expect(page.text.indexOf(first)).toBeLessThan(page.text.indexOf(second));
    const summary = await admin.page('waitlist/approve?next=1');
    expect(await faultsOf(summary.text)).toEqual([]);
    expect(summary.text).toContain('1 person gets the invitation.');
    expect(summary.text).toContain(first);
    expect(summary.text).not.toContain(second);
    expect((await people.row(first))?.status).toBe('verified');
    expect(await admin.form('waitlist/approve', { next: '1' })).toMatchObject(
      redirectTo(`${home}waitlist?done=approved`),
    );
    await people.settled();
    const after = await admin.page('waitlist?done=approved');
    expect(after.text).toContain('Latest batch: 1 of 1 person invited.');
    expect((await people.row(first))?.status).toBe('approved');
    expect((await people.row(second))?.status).toBe('verified');
  });

  it('invites the people who are chosen, and leaves out disposable addresses', async () => {
    const [first, second, third] = [await added('One'), await added('Two'), await added('Three')];
    await app.stores.db
      .updateTable('waitlist_entries')
      .set({ is_disposable: true })
      .where('id', '=', third)
      .execute();
    const page = await admin.page('waitlist');
    expect(page.text).toContain(`name="person[]" value="${second}"`);
    const summary = await admin.page(`waitlist/approve?person[]=${second}&person[]=${third}`);
    expect(await faultsOf(summary.text)).toEqual([]);
    expect(summary.text).toContain('1 person gets the invitation.');
    expect(summary.text).toContain('1 disposable address is left out.');
    expect(summary.text).not.toContain(`waitlist/${first}`);
    const sent = await admin.form('waitlist/approve', { 'person[]': [second, third] });
    expect(sent).toMatchObject(redirectTo(`${home}waitlist?done=approved`));
    const statuses = await Promise.all([first, second, third].map((id) => people.row(id)));
    expect(statuses.map((row) => row?.status)).toEqual(['verified', 'approved', 'verified']);
    expect((await admin.form('waitlist/approve', { 'person[]': ['x'] })).status).toBe(422);
  });

  it('offers the people of the list to be chosen, and statuses with their counts', async () => {
    const id = await added('Listed');
    const { text } = await admin.page('waitlist/entries');
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toMatch(new RegExp(`type="checkbox"[^>]* name="person\\[\\]" value="${id}"`));
    const { entries } = await app.services.waitlistApprovals.figures();
    expect(text).toContain(`Waiting ${entries.verified}`);
    expect(text).toContain('Invite selected');
    expect(text).toContain('Deny selected');
  });

  it('denies the people who are chosen, and says so', async () => {
    const [first, second, third] = [await added('One'), await added('Two'), await added('Three')];
    expect(await admin.form('waitlist/deny', { 'person[]': [first, second] })).toMatchObject(
      redirectTo(`${home}waitlist/entries?done=denied`),
    );
    const statuses = await Promise.all([first, second, third].map((id) => people.row(id)));
    expect(statuses.map((row) => row?.status)).toEqual(['denied', 'denied', 'verified']);
    const after = await admin.page('waitlist/entries?done=denied');
    expect(after.text).toContain('Denied. We don’t email people about this.');
  });

  it('changes nothing while nobody is chosen', async () => {
    const id = await added('Unchosen');
    const answers = [
      await admin.page('waitlist/approve'),
      await admin.form('waitlist/approve'),
      await admin.form('waitlist/deny'),
    ];
    for (const { status, text } of answers) {
      expect(status).toBe(422);
      expect(text).toContain('Select at least one person.');
    }
    await people.settled();
    expect((await people.row(id))?.status).toBe('verified');
  });

  it('shows where a person stands, who brought them, and what was sent to them', async () => {
    const [id, friend] = [await added('Bringer'), await added('Brought one')];
    await app.stores.db
      .updateTable('waitlist_entries')
      .set({ referred_by: id, metadata: JSON.stringify({ favourite_colour: 'blue', deep: {} }) })
      .where('id', '=', friend)
      .execute();
    const page = await admin.page(`waitlist/${friend}`);
    expect(await faultsOf(page.text)).toEqual([]);
    expect(page.text).toContain('Place in line');
    expect(page.text).toContain('Bringer');
    expect(page.text).toContain('Favourite colour');
    expect(page.text).not.toMatch(/favourite_colour|&quot;|deep/);
    expect((await admin.page(`waitlist/${id}`)).text).toContain('Referred 1 person');
    await admin.form(`waitlist/${friend}/approve`);
    await people.settled();
    const after = await admin.page(`waitlist/${friend}`);
    expect(after.text).not.toContain('Place in line');
    expect(after.text).toContain('Sent');
  });

  it('shows a person with their referrals and the reasons, and takes decisions', async () => {
    const [id, friend] = [await added('Referrer'), await added('Friend')];
    await app.stores.db
      .updateTable('waitlist_entries')
      .set({ referred_by: id, credit: 'withheld', credit_reasons: ['same_network'] })
      .where('id', '=', friend)
      .execute();
    const page = await admin.page(`waitlist/${id}`);
    expect(await faultsOf(page.text)).toEqual([]);
    expect(page.text).toContain(`waitlist/${friend}`);
    expect(page.text).toContain('Same network');
    expect(await admin.form(`waitlist/${friend}/deny`)).toMatchObject(
      redirectTo(`${home}waitlist/${friend}?done=denied`),
    );
    expect((await admin.form(`waitlist/${id}/approve`)).status).toBe(303);
    expect((await people.row(id))?.status).toBe('approved');
    expect((await people.row(friend))?.status).toBe('denied');
  });

  it('saves a change in the list of all entries without touching the credit', async () => {
    const id = await added('Before');
    const list = await admin.page('waitlist/entries?status=verified');
    expect(list.status).toBe(200);
    expect(list.text).toContain('Before');
    const page = await admin.page(`waitlist/entries/${id}/edit`);
    // As a browser sends it: each list with the value that is chosen.
    const values = { name: 'After', credit: 'none', status: 'verified' };
    for (const field of ['credit', 'status'] as const)
      expect(page.text).toMatch(
        new RegExp(`name="${field}"[^>]*>.*?<option value="${values[field]}" selected`, 's'),
      );
    expect(await admin.form(`waitlist/entries/${id}`, values)).toMatchObject(
      redirectTo(`${home}waitlist/${id}?done=updated`),
    );
    expect(await people.row(id)).toMatchObject(values);
  });

  it('is for admins only', async () => {
    const id = await added('Secret');
    for (const path of ['waitlist', `waitlist/${id}`]) {
      const { status, text } = await viewer.page(path);
      expect(status).toBe(403);
      expect(text).not.toContain('Secret');
    }
    expect((await viewer.form('waitlist/approve', { next: '1' })).status).toBe(403);
    for (const action of ['approve', 'deny'])
      expect((await viewer.form(`waitlist/${action}`, { 'person[]': [id] })).status).toBe(403);
    expect((await people.row(id))?.status).toBe('verified');
  });
});
