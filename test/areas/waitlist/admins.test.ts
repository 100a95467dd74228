import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRankingStore } from '../../../src/areas/waitlist/ranking-store.ts';
import { asAdmin, freshApp, type FreshApp } from '../../support/app.ts';
import { createPeople, type Own } from './people.ts';

interface EntryOf {
  id: string;
  email: string;
  status: string;
  credit: string;
  credit_reasons: string[];
  score: number;
}
interface Batch {
  id: string;
  size: number;
  invited: number;
  done: boolean;
}

let app: FreshApp;
let people: ReturnType<typeof createPeople>;

beforeAll(async () => {
  app = await freshApp({
    isEmbedded: true,
    env: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme', WAITLIST: 'on' },
  });
  await app.services.queues.start();
  people = createPeople(app);
}, 300_000);
afterAll(() => app.close());

const path = '/api/v2/waitlist/entries';
const post = (url: string, payload: object = {}, headers: Record<string, string> = asAdmin) =>
  app.http.inject({ method: 'POST', url: `${path}${url}`, payload, headers });
const get = (url: string, headers: Record<string, string> = asAdmin) =>
  app.http.inject({ url: `${path}${url}`, headers });
const entry = async (id: string) => (await get(`/${id}`)).json<EntryOf>();
const csv = (text: string) =>
  app.http.inject({
    method: 'POST',
    url: `${path}/import`,
    payload: text,
    headers: { ...asAdmin, 'content-type': 'text/csv' },
  });
const emailOf = async ({ id }: Own) => (await people.row(id))?.email ?? '';
const orderOf = async () => {
  const { rows } = await sql<{ id: string }>`select id from waitlist_entries
    where status = 'verified' order by score desc, verified_at, id`.execute(app.stores.db);
  return rows.map(({ id }) => id);
};
/** The counts that the triggers keep, and the same counted now. */
const counts = async () => {
  const kept = await sql`select status, score, span, starts_at, entries from waitlist_counts
    where entries <> 0 order by 1, 2, 3, 4`.execute(app.stores.db);
  await app.http.inject({ method: 'POST', url: `${path}/rebuild`, headers: asAdmin });
  const counted = await sql`select status, score, span, starts_at, entries from waitlist_counts
    order by 1, 2, 3, 4`.execute(app.stores.db);
  return { kept: kept.rows, counted: counted.rows };
};

describe('approving', () => {
  it('the people who are next, in order, sends each of them one invitation', async () => {
    const [first, second, third] = [
      await people.waiting(),
      await people.waiting(),
      await people.waiting(),
    ];
    await people.waiting({ referral_code: third.referral_code });
    const order = await orderOf();
    expect(order.indexOf(third.id)).toBeLessThan(order.indexOf(first.id));
    const batch = (await post('/approve', { next: 2 })).json<Batch>();
    expect(batch).toMatchObject({ size: 2, done: false });
    const approved = (await get('?status=approved')).json<{ data: EntryOf[] }>().data;
    expect(approved.map(({ id }) => id).sort()).toEqual([third.id, first.id].sort());
    await vi.waitFor(
      async () =>
        expect(
          (
            await app.http.inject({ url: `/api/v2/waitlist/batches/${batch.id}`, headers: asAdmin })
          ).json<Batch>(),
        ).toMatchObject({ invited: 2, done: true }),
      { timeout: 60_000 },
    );
    const mail = (await people.nextMessage(await emailOf(third), 1)).text;
    expect(mail).toContain('https://svc.example/signup');
    expect(mail).toContain('https://svc.example/waitlist/leave?token=');
    expect((await people.row(second.id))?.status).toBe('verified');
    expect(await people.me(third.token)).toMatchObject({ status: 'approved', position: null });
  });

  it('by two admins at once approves different people', async () => {
    for (let at = 0; at < 6; at += 1) await people.waiting();
    const before = await orderOf();
    const batches = await Promise.all([
      post('/approve', { next: 3 }),
      post('/approve', { next: 3 }),
    ]);
    expect(batches.map((answer) => answer.json<Batch>().size)).toEqual([3, 3]);
    const after = await orderOf();
    expect(before.slice(0, 6).filter((id) => after.includes(id))).toEqual([]);
    expect(after).toEqual(before.slice(6));
    await people.settled();
    const rows = await app.stores.db
      .selectFrom('waitlist_entries')
      .select(['id', 'email'])
      .where('id', 'in', before.slice(0, 6))
      .execute();
    for (const { email } of rows)
      expect(
        people.messagesTo(email).filter(({ subject }) => subject === 'You’re invited to Acme'),
      ).toHaveLength(1);
  });

  it('one person twice in parallel sends one invitation', async () => {
    const own = await people.waiting();
    const answers = await Promise.all(Array.from({ length: 4 }, () => post(`/${own.id}/approve`)));
    expect(answers.map((answer) => answer.json<EntryOf>().status)).toEqual(
      Array<string>(4).fill('approved'),
    );
    await people.settled();
    expect(people.messagesTo(await emailOf(own))).toHaveLength(2);
  });

  it('needs a verified address, also after a denial', async () => {
    const email = people.newAddress();
    await people.join({ email });
    await people.nextMessage(email);
    const { data } = (await get(`?q=${email}`)).json<{ data: EntryOf[] }>();
    const id = data[0]?.id ?? '';
    expect((await post(`/${id}/approve`)).json<{ code: string }>().code).toBe(
      'waitlist.not_verified',
    );
    await post(`/${id}/deny`);
    expect((await post(`/${id}/approve`)).statusCode).toBe(409);
    expect((await post('/approve', { ids: [id] })).json<Batch>().size).toBe(0);
    await people.settled();
    expect(people.messagesTo(email)).toHaveLength(1);
    expect(await app.services.admission.mayEnter(email)).toBe(false);
  });

  it('lets this address enter, and no other address of its mailbox', async () => {
    const email = people.newAddress();
    const own = await people.waiting({ email });
    const { mayEnter, noteJoined } = app.services.admission;
    expect(await mayEnter(email)).toBe(false);
    await post(`/${own.id}/approve`);
    expect(await mayEnter(email.toUpperCase())).toBe(true);
    expect(await mayEnter(email.replace('@', '+x@'))).toBe(false);
    await noteJoined(email);
    expect({ status: (await entry(own.id)).status, mayEnter: await mayEnter(email) }).toEqual({
      status: 'joined',
      mayEnter: true,
    });
    expect((await post(`/${own.id}/deny`)).json<{ code: string }>().code).toBe(
      'waitlist.already_joined',
    );
  });
});

it('denying withdraws the credit for a referral, and sends nothing', async () => {
  const [own, keeper] = [await people.waiting(), await people.waiting()];
  const friend = await people.waiting({ referral_code: own.referral_code });
  expect((await entry(own.id)).score).toBe(10);
  expect((await post('/deny', { ids: [friend.id, keeper.id] })).json()).toEqual({ denied: 2 });
  await people.settled();
  expect((await entry(own.id)).score).toBe(0);
  expect(await entry(friend.id)).toMatchObject({
    status: 'denied',
    credit: 'withheld',
    credit_reasons: ['denied'],
  });
  expect(people.messagesTo(await emailOf(friend))).toHaveLength(1);
});

it('admins see why credit was withheld, and can overrule it', async () => {
  const own = await people.waiting({}, '198.51.100.1');
  const friend = await people.waiting({ referral_code: own.referral_code }, '198.51.100.2');
  expect(await entry(friend.id)).toMatchObject({
    credit: 'withheld',
    credit_reasons: ['same_network'],
  });
  const { data } = (await get(`?credit=withheld&referred_by=${own.id}`)).json<{
    data: EntryOf[];
  }>();
  expect(data.map(({ id }) => id)).toEqual([friend.id]);
  const patch = (payload: object, id = friend.id) =>
    app.http.inject({ method: 'PATCH', url: `${path}/${id}`, payload, headers: asAdmin });
  expect((await patch({ credit: 'granted' })).json()).toMatchObject({ credit: 'granted' });
  expect((await people.me(own.token)).amount_referred).toBe(1);
  await patch({ credit: 'withheld', name: 'Friend' });
  expect(await entry(friend.id)).toMatchObject({
    name: 'Friend',
    credit_reasons: ['withheld_by_admin'],
  });
  expect((await people.me(own.token)).amount_referred).toBe(0);
  expect((await patch({ credit: 'granted' }, own.id)).json<{ code: string }>().code).toBe(
    'waitlist.credit_fixed',
  );
});

describe('CSV', () => {
  it('imports people as verified with a reason, or sends them a link', async () => {
    const [known, sure, asked] = [
      await emailOf(await people.waiting()),
      people.newAddress(),
      people.newAddress(),
    ];
    const answer = await csv(
      'email,name,verified_because\n' +
        `${sure},Sure,Customer since 2024\n${asked},Asked,\n${known},Known,Again\n`,
    );
    expect(answer.json()).toEqual({
      succeeded: 2,
      failed: [{ line: 4, code: 'waitlist.entry_exists', detail: expect.any(String) as string }],
    });
    const found = async (email: string) =>
      (await get(`?q=${email}`)).json<{ data: EntryOf[] }>().data[0];
    expect(await found(sure)).toMatchObject({
      status: 'verified',
      source: 'import',
      verified_because: 'Customer since 2024',
      consent_version: null,
    });
    expect(await found(asked)).toMatchObject({ status: 'pending', verified_because: null });
    const mail = await people.nextMessage(asked);
    expect((await people.verify(people.tokenIn(mail))).statusCode).toBe(200);
    await people.settled();
    expect(people.messagesTo(sure)).toEqual([]);
  });

  it('imports nothing of a file with an invalid row, and names its line', async () => {
    const fine = people.newAddress();
    const answer = await csv(`email,name\n${fine},Fine\n${people.newAddress()},a\tb\n`);
    expect({
      status: answer.statusCode,
      loc: answer.json<{ detail: { loc: unknown[] }[] }>().detail[0]?.loc,
    }).toEqual({ status: 422, loc: ['body', 3, 'name'] });
    expect((await get(`?q=${fine}`)).json<{ data: EntryOf[] }>().data).toEqual([]);
  });

  it('takes 2,000 rows in their order', async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => `bulk${at}@example.org,,List of 2024`);
    const answer = await csv(`email,name,verified_because\n${rows.join('\n')}\n`);
    expect(answer.json()).toEqual({ succeeded: 2000, failed: [] });
    const { rows: stored } = await sql<{ email: string }>`select email from waitlist_entries
      where email like 'bulk%' order by verified_at, id`.execute(app.stores.db);
    expect(stored.map(({ email }) => email)).toEqual(rows.map((row) => row.split(',')[0]));
    expect((await csv(`email\n${'a@example.org\n'.repeat(2001)}`)).statusCode).toBe(422);
  }, 300_000);

  it('formula injection: an export is guarded', async () => {
    await people.waiting({ name: '=HYPERLINK("https://evil.example")' });
    const file = await get('/export?q=HYPERLINK');
    expect(file.body).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(file.body.split('\r\n')[0]).toMatch(/^id,email,name,status,score/);
  });
});

it('people without the admin scope change and see nothing', async () => {
  const own = await people.waiting();
  for (const answer of [
    await get('', {}),
    await get(`/${own.id}`, {}),
    await get('/stats', {}),
    await get('/export', {}),
    await post('/approve', { next: 1 }, {}),
    await post('/deny', { ids: [own.id] }, {}),
    await post(`/${own.id}/approve`, {}, {}),
    await post('/rebuild', {}, {}),
  ])
    expect(answer.statusCode).toBe(401);
  expect((await people.row(own.id))?.status).toBe('verified');
});

it('counts and scores are what a rebuild computes, and a rebuild repairs them', async () => {
  const { kept, counted } = await counts();
  expect(kept).toEqual(counted);
  await sql`update waitlist_entries set score = 990, amount_referred = 99 where id in
    (select id from waitlist_entries where status = 'verified' and score = 0 limit 2)`.execute(
    app.stores.db,
  );
  expect((await post('/rebuild')).json()).toEqual({ corrected: 2 });
  const order = await orderOf();
  const { countAhead } = createRankingStore(app.stores.db);
  for (const at of [0, 1, 10, 1000, order.length - 1]) {
    const row = await people.row(order[at] ?? '');
    if (row?.verified_at == null) throw new Error('not verified');
    const { id, score, verified_at: verifiedAt } = row;
    expect({ at, countAhead: await countAhead({ id, score, verifiedAt }) }).toEqual({
      at,
      countAhead: at,
    });
  }
  const figures = (await get('/stats')).json<{ entries: Record<string, number> }>();
  expect(figures.entries.verified).toBe(order.length);
}, 120_000);

describe('sign-up with WAITLIST=on', () => {
  const signUp = (email: string, consent = true) =>
    app.http.inject({
      method: 'POST',
      url: '/signup',
      payload: { email, name: 'Ana', company: 'Acme', plan: 'self-hosted', consent },
    });

  it('puts people on the waitlist, and gives approved people the link', async () => {
    const email = people.newAddress();
    const first = await signUp(email);
    expect((await signUp(people.newAddress(), false)).statusCode).toBe(422);
    const mail = await people.nextMessage(email);
    expect(mail.subject).toBe('Confirm your place on the Acme waitlist');
    const own = (await people.verify(people.tokenIn(mail))).json<Own>();
    expect(await people.row(own.id)).toMatchObject({
      source: 'signup',
      metadata: { company: 'Acme', plan: 'self-hosted' },
    });
    await post(`/${own.id}/approve`);
    await people.nextMessage(email, 1);
    const again = await signUp(email);
    expect({ status: again.statusCode, body: again.body }).toEqual({
      status: first.statusCode,
      body: first.body,
    });
    expect((await people.nextMessage(email, 2)).text).toContain(
      'https://svc.example/signup/confirm?token=',
    );
    const page = await app.http.inject({ url: '/signup', headers: { accept: 'text/html' } });
    expect(page.body).toContain('join the waitlist');
  });

  it('its answer is sent before anything is looked up', async () => {
    await people.settled();
    const before = await app.stores.db.selectFrom('signups').selectAll().execute();
    const unknown = people.newAddress();
    expect((await signUp(unknown)).statusCode).toBe(200);
    await people.settled();
    expect(await app.stores.db.selectFrom('signups').selectAll().execute()).toEqual(before);
  });
});

describe('SIGN_UP=invitation', () => {
  it('lets approved people in, and notes that they have joined', async () => {
    const closed = await freshApp({
      env: { BASE_URL: 'https://svc.example', SIGN_UP: 'invitation', WAITLIST: 'on' },
    });
    try {
      await closed.services.queues.start();
      const others = createPeople(closed);
      const email = others.newAddress();
      const own = await others.waiting({ email });
      const signIn = () =>
        closed.services.users.signInAs({ kind: 'email', key: email, value: email });
      await expect(signIn()).rejects.toMatchObject({ code: 'users.sign_up_closed' });
      const approved = await closed.http.inject({
        method: 'POST',
        url: `${path}/${own.id}/approve`,
        headers: asAdmin,
      });
      expect(approved.statusCode).toBe(200);
      expect((await signIn()).isNew).toBe(true);
      expect((await others.row(own.id))?.status).toBe('joined');
    } finally {
      await closed.close();
    }
  }, 300_000);
});
