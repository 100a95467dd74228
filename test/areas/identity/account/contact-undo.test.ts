import { describe, expect } from 'vitest';
import { dayMs } from '../../../../src/lib/durations.ts';
import { sha256Hex } from '../../../../src/lib/secrets/secrets.ts';
import { me, ownersOf, parallel, tally } from '../../../support/abuse.ts';
import { TestClient } from '../../../support/client.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { codeFor } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import { makeAdmin, type Person, signIn } from '../users/people.ts';

let offset = 0;
const app = await sharedApp('people', { clock: { now: () => Date.now() + offset } });

const path = '/account/undo-change';
let counter = 0;
const fresh = () => `undo.${(counter += 1)}@example.org`;
const subjectsTo = (to: string) => app.services.outbox.list(to).map(({ subject }) => subject);
const open = (token: string) => new TestClient(app).page(path, { query: { token } });
const press = (token: string) => new TestClient(app).form(path, { token });

/** Changes the address, as a thief with the session and the new mailbox does. */
async function change(person: Person, email: string): Promise<void> {
  const after = app.services.outbox.list(email).length;
  await person.account.post('/email', { email });
  const code = await codeFor(app, email, { after });
  const answer = await person.account.post('/email/confirm', { code });
  if (answer.status !== 200) throw new Error(answer.text);
}

/** The token in the newest message that has one. */
async function tokenTo(address: string): Promise<string> {
  const find = () =>
    app.services.outbox
      .list(address)
      .map(({ text }) => /\/account\/undo-change\?token=([\w-]{43})/.exec(text)?.[1])
      .find((token) => token !== undefined);
  await expect.poll(find).toBeDefined();
  return find() ?? expect.fail('no link');
}

/** Somebody whose address was changed to `next`. */
async function robbed() {
  const person = await signIn(app);
  const next = fresh();
  await change(person, next);
  return { person, next, token: await tokenTo(person.email) };
}

describe('the link in the message about a changed address', () => {
  it('restores it, ends all sessions, and notifies both addresses', async () => {
    const { person, next, token } = await robbed();
    const thief = await signIn(app, next);
    const asked = await open(token);
    expect(asked.status).toBe(200);
    expect(asked.text).toContain('Undo the change');
    const done = await press(token);
    expect(done).toMatchObject({ status: 200 });
    expect(done.text).toContain('Email address restored');
    expect(await ownersOf(app, person.email)).toEqual([person.userId]);
    expect(await ownersOf(app, next)).toEqual([]);
    for (const { bearer } of [person, thief]) expect((await me(app, bearer)).status).toBe(401);
    await expect.poll(() => subjectsTo(person.email)[0]).toMatch(/Email address restored/);
    await expect.poll(() => subjectsTo(next)[0]).toMatch(/Email address change undone/);
    expect(app.services.outbox.list(next)[0]?.text).not.toContain(person.email);
    expect((await signIn(app, person.email)).userId).toBe(person.userId);
    const entries = (await app.services.audit.list({ target_id: person.userId, limit: 50 })).data;
    expect(entries.filter(({ action }) => action === 'identity.restored')).toHaveLength(1);
  });

  it('changes nothing when a mail scanner opens it', async () => {
    const { person, next, token } = await robbed();
    for (const method of ['GET', 'HEAD'] as const)
      expect((await new TestClient(app).send(method, `${path}?token=${token}`)).status).toBe(200);
    expect(await ownersOf(app, next)).toEqual([person.userId]);
    expect((await me(app, person.bearer)).status).toBe(200);
  });

  it('looks the same whether or not a link has the token', async () => {
    const { token } = await robbed();
    const other = 'x'.repeat(43);
    const [known, unknown] = [await open(token), await open(other)];
    expect(known.text.replaceAll(token, '')).toBe(unknown.text.replaceAll(other, ''));
  });

  it('works once, also when it is pressed five times at the same moment', async () => {
    const { person, token } = await robbed();
    expect(tally(await parallel(5, () => press(token)))).toEqual({ 200: 1, 410: 4 });
    const again = await press(token);
    expect(again.status).toBe(410);
    expect(again.text).toContain('This link doesn’t work anymore');
    expect(await ownersOf(app, person.email)).toEqual([person.userId]);
  });

  it('works for seven days and not longer', async () => {
    const [late, inTime] = [await robbed(), await robbed()];
    offset += 7 * dayMs - 60_000;
    expect((await press(inTime.token)).status).toBe(200);
    offset += 2 * 60_000;
    expect((await press(late.token)).status).toBe(410);
    expect(await ownersOf(app, late.next)).toEqual([late.person.userId]);
  });

  it('takes no address from another account that has it meanwhile', async () => {
    const { person, next, token } = await robbed();
    const owner = await signIn(app, person.email);
    expect(owner.userId).not.toBe(person.userId);
    const refused = await press(token);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Your old address or number is taken');
    expect(await ownersOf(app, person.email)).toEqual([owner.userId]);
    expect(await ownersOf(app, next)).toEqual([person.userId]);
    expect((await me(app, owner.bearer)).status).toBe(200);
    await change(owner, fresh());
    expect((await press(token)).status).toBe(200);
    expect(await ownersOf(app, person.email)).toEqual([person.userId]);
  });

  it('restores the first address after two changes, and the thief has no link left', async () => {
    const { person, next, token } = await robbed();
    const last = fresh();
    await change(person, last);
    const thiefs = await tokenTo(next);
    expect((await press(token)).status).toBe(200);
    expect((await press(thiefs)).status).toBe(410);
    expect(await ownersOf(app, person.email)).toEqual([person.userId]);
    for (const gone of [next, last]) expect(await ownersOf(app, gone)).toEqual([]);
  });

  it('of an earlier change still works after that of a later one was used', async () => {
    const { person, next, token } = await robbed();
    await change(person, fresh());
    expect((await press(await tokenTo(next))).status).toBe(200);
    expect(await ownersOf(app, next)).toEqual([person.userId]);
    expect((await press(token)).status).toBe(200);
    expect(await ownersOf(app, person.email)).toEqual([person.userId]);
  });

  it('ends a change that waits for its code', async () => {
    const { person, token } = await robbed();
    const waiting = fresh();
    await person.account.post('/email', { email: waiting });
    const code = await codeFor(app, waiting);
    expect((await press(token)).status).toBe(200);
    const back = await signIn(app, person.email);
    expect((await back.account.post('/email/confirm', { code })).status).toBe(400);
    expect(await ownersOf(app, waiting)).toEqual([]);
  });

  it('does nothing for an account that was deleted', async () => {
    const { person, token } = await robbed();
    const admin = await signIn(app);
    await makeAdmin(app, admin.userId);
    await app.services.ownAccount.deletions.deleteNow(person.userId, {
      actor: { kind: 'user', id: admin.userId },
      address: '203.0.113.9',
      requestId: 'request-of-a-test',
    });
    expect((await press(token)).status).toBe(410);
    expect(await ownersOf(app, person.email)).toEqual([]);
  });

  it.each(['', 'short', 'x'.repeat(43), ' '.repeat(43), "' or 1=1 --"])(
    'is refused with the token %j',
    async (token) => {
      expect((await press(token)).status).toBe(410);
    },
  );

  it('is not pressed by a form of another site', async () => {
    const { person, next, token } = await robbed();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await new TestClient(app).form(path, { token }, { headers })).status).toBe(403);
    expect(await ownersOf(app, next)).toEqual([person.userId]);
  });

  it('is stored as a hash, and is in no log', async () => {
    const { person, token } = await robbed();
    await open(token);
    const rows = await app.stores.db
      .selectFrom('contact_undos')
      .selectAll()
      .where('user_id', '=', person.userId)
      .execute();
    expect(rows).toMatchObject([{ token_hash: sha256Hex(token) }]);
    expect(JSON.stringify(rows)).not.toContain(token);
    await press(token);
    expect(app.log()).not.toContain(token);
  });
});

it('a changed phone number is restored by the link in the text message', async () => {
  const person = await signIn(app);
  const [old, next] = ['+14155550181', '+14155550182'];
  for (const phone of [old, next]) {
    await person.account.post('/phone', { phone });
    await person.account.post('/phone/confirm', { code: await codeFor(app, phone) });
  }
  const done = await press(await tokenTo(old));
  expect(done.text).toContain('Phone number restored');
  const back = await signIn(app, person.email);
  expect((await back.account.get('')).body).toMatchObject({
    email: person.email,
    phone_number: old,
  });
});

it('an added phone number brings no link, since nothing was replaced', async () => {
  const person = await signIn(app);
  await person.account.post('/phone', { phone: '+14155550183' });
  await person.account.post('/phone/confirm', { code: await codeFor(app, '+14155550183') });
  await expect.poll(() => subjectsTo(person.email)[0]).toMatch(/Sign-in method added/);
  expect(app.services.outbox.list(person.email)[0]?.text).not.toContain('undo-change');
});
