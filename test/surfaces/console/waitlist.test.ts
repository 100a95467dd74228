import { beforeAll, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { People } from '../../areas/waitlist/people.ts';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, home, look, personOf, submit } from './pages.ts';

let app: TestApp;
let people: People;
let admin: Record<string, string>;
let viewer: Record<string, string>;

beforeAll(async () => {
  app = await sharedApp('console');
  people = new People(app);
  admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).headers;
}, 300_000);

/** A person who waits, added by the service: links of this app are on another origin. */
async function added(name: string): Promise<string> {
  const answer = await app.services.waitlistEntries.service.create?.(
    { email: people.newAddress(), name, verified_because: 'A test' },
    { actor: { kind: 'anonymous' }, address: '127.0.0.1', requestId: 'test' },
  );
  return String(answer?.id);
}

it('shows who is next, approves them, and shows the progress', async () => {
  const [first, second] = [await added('First <b>'), await added('Second')];
  const page = await look(app, 'waitlist', admin);
  expect(page.statusCode).toBe(200);
  expect(await faultsOf(page.body)).toEqual([]);
  expect(page.body).toContain('First &lt;b&gt;');
  const [, all = ''] = /href="([^"]+)"[^>]*>All entries</.exec(page.body) ?? [];
  expect((await look(app, all, admin)).body).toContain('<h1>Waitlist entries</h1>');
  expect(page.body.indexOf(first)).toBeLessThan(page.body.indexOf(second));
  const sent = await submit(app, 'waitlist/approve', { next: '1' }, admin);
  expect({ status: sent.statusCode, location: sent.headers.location }).toEqual({
    status: 303,
    location: `${home}waitlist?done=approved`,
  });
  await people.settled();
  const after = await look(app, 'waitlist?done=approved', admin);
  expect(after.body).toContain('Latest batch: 1 of 1 person invited.');
  expect((await people.row(first))?.status).toBe('approved');
  expect((await people.row(second))?.status).toBe('verified');
});

it('shows a person with their referrals and the reasons, and takes decisions', async () => {
  const [id, friend] = [await added('Referrer'), await added('Friend')];
  await app.stores.db
    .updateTable('waitlist_entries')
    .set({ referred_by: id, credit: 'withheld', credit_reasons: ['same_network'] })
    .where('id', '=', friend)
    .execute();
  const page = await look(app, `waitlist/${id}`, admin);
  expect(await faultsOf(page.body)).toEqual([]);
  expect(page.body).toContain(`waitlist/${friend}`);
  expect(page.body).toContain('Same network');
  const denied = await submit(app, `waitlist/${friend}/deny`, {}, admin);
  expect(denied.headers.location).toBe(`${home}waitlist/${friend}?done=denied`);
  const approved = await submit(app, `waitlist/${id}/approve`, {}, admin);
  expect(approved.statusCode).toBe(303);
  expect({
    first: (await people.row(id))?.status,
    second: (await people.row(friend))?.status,
  }).toEqual({ first: 'approved', second: 'denied' });
});

it('the list of all entries saves a change without touching the credit', async () => {
  const id = await added('Before');
  const list = await look(app, 'records/waitlist-entries?status=verified', admin);
  expect({ status: list.statusCode, includesBefore: list.body.includes('Before') }).toEqual({
    status: 200,
    includesBefore: true,
  });
  const page = await look(app, `records/waitlist-entries/${id}`, admin);
  // As a browser sends it: each list with the value that is chosen.
  const chosen = (name: string) =>
    new RegExp(`name="${name}"[^>]*>.*?<option value="(\\w+)" selected`, 's').exec(page.body)?.[1];
  const values = { name: 'After', credit: chosen('credit') ?? '', status: chosen('status') ?? '' };
  expect(values).toEqual({ name: 'After', credit: 'none', status: 'verified' });
  const saved = await submit(app, `records/waitlist-entries/${id}`, values, admin);
  expect({ status: saved.statusCode, location: saved.headers.location }).toEqual({
    status: 303,
    location: `${home}records/waitlist-entries/${id}?done=updated`,
  });
  expect(await people.row(id)).toMatchObject({ name: 'After', credit: 'none', status: 'verified' });
});

it('is for admins only', async () => {
  const id = await added('Secret');
  for (const path of ['waitlist', `waitlist/${id}`]) {
    const page = await look(app, path, viewer);
    expect({ status: page.statusCode, includesSecret: page.body.includes('Secret') }).toEqual({
      status: 403,
      includesSecret: false,
    });
  }
  expect((await submit(app, 'waitlist/approve', { next: '1' }, viewer)).statusCode).toBe(403);
  expect((await people.row(id))?.status).toBe('verified');
});
