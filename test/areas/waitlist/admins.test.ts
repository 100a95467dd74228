import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { createRankingStore } from '../../../src/areas/waitlist/ranking-store.ts';
import type {
  BatchView,
  EntryView,
  FiguresView,
} from '../../../src/areas/waitlist/entries/schemas.ts';
import { asAdmin, freshApp } from '../../support/app.ts';
import { type Own, People, tokenIn } from './people.ts';

interface Entries {
  data: EntryView[];
}

const path = '/api/v2/waitlist/entries';

const app = await freshApp({
  isEmbedded: true,
  env: { BASE_URL: 'https://svc.example', APP_NAME: 'Acme', WAITLIST: 'on' },
});
await app.services.queues.start();
const people = new People(app);
const stranger = people.at(path);
const admin = stranger.as(asAdmin);

const entry = async (id: string) => (await admin.get<EntryView>(`/${id}`)).body;
const importCsv = (text: string) =>
  admin.post('/import', text, { headers: { 'content-type': 'text/csv' } });
const emailOf = async ({ id }: Own) => (await people.row(id))?.email ?? '';
const orderOf = async () => {
  const { rows } = await sql<{ id: string }>`select id from waitlist_entries
    where status = 'verified' and not is_disposable order by score desc, verified_at, id`.execute(
    app.stores.db,
  );
  return rows.map(({ id }) => id);
};
/** The counts that the triggers keep, and the same counted now. */
const counts = async () => {
  const kept = await sql`select status, score, span, starts_at, entries from waitlist_counts
    where entries <> 0 order by 1, 2, 3, 4`.execute(app.stores.db);
  await admin.post('/rebuild');
  const counted = await sql`select status, score, span, starts_at, entries from waitlist_counts
    order by 1, 2, 3, 4`.execute(app.stores.db);
  return { kept: kept.rows, counted: counted.rows };
};

describe('the approval', () => {
  it('of the people who are next, in order, sends each of them one invitation', async () => {
    const [first, second, third] = await people.threeWaiting();
    await people.waiting({ referral_code: third.referral_code });
    const order = await orderOf();
    expect(order.indexOf(third.id)).toBeLessThan(order.indexOf(first.id));
    const { body: batch } = await admin.post<BatchView>('/approve', { next: 2 });
    expect(batch).toMatchObject({ size: 2, done: false });
    const approved = (await admin.get<Entries>('?status=approved')).body.data;
    expect(approved.map(({ id }) => id).sort()).toEqual([third.id, first.id].sort());
    const batches = people.as(asAdmin).at('/api/v2/waitlist/batches');
    await vi.waitFor(
      async () =>
        expect((await batches.get(`/${batch.id}`)).body).toMatchObject({ invited: 2, done: true }),
      { timeout: 60_000 },
    );
    const mail = (await people.mailTo(await emailOf(third), { after: 1 })).text;
    expect(mail).toContain('https://svc.example/signup');
    expect(mail).toContain('https://svc.example/waitlist/leave?token=');
    expect((await people.row(second.id))?.status).toBe('verified');
    expect(await people.me(third.token)).toMatchObject({ status: 'approved', position: null });
  });

  it('of several people leaves out disposable mailboxes, that of one does not', async () => {
    const email = `thrown-away-${Date.now()}@mailinator.com`;
    const [machine, person] = [await people.waiting({ email }), await people.waiting()];
    const row = async ({ id }: { id: string }) => (await people.row(id))?.status;
    const chosen = { ids: [machine.id, person.id] };
    const { body: batch } = await admin.post<BatchView>('/approve', chosen);
    expect(batch).toMatchObject({ size: 1, left_out: 1 });
    const { body: next } = await admin.post<BatchView>('/approve', { next: 1000 });
    expect(next.left_out).toBe(1);
    expect(await row(machine)).toBe('verified');
    expect(await row(person)).toBe('approved');
    // Nobody is behind the machine, since everyone else is invited before it.
    const later = await people.waiting();
    expect(await people.me(later.token)).toMatchObject({ position: 1, ahead: 0 });
    const batches = people.as(asAdmin).at('/api/v2/waitlist/batches');
    expect((await batches.get(`/${batch.id}`)).body).toMatchObject({ left_out: 1 });
    await people.settled();
    expect(people.outbox(email)).toHaveLength(1);
    const alone = await admin.post(`/${machine.id}/approve`);
    expect(alone).toMatchObject({ status: 200, body: { status: 'approved', is_disposable: true } });
    await people.mailTo(email, { after: 1 });
  });

  it('by two admins at once approves different people', async () => {
    for (let at = 0; at < 6; at += 1) await people.waiting();
    const before = await orderOf();
    const batches = await Promise.all([
      admin.post('/approve', { next: 3 }),
      admin.post('/approve', { next: 3 }),
    ]);
    expect(batches.map(({ body }) => body.size)).toEqual([3, 3]);
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
        people.outbox(email).filter(({ subject }) => subject === 'You’re invited to Acme'),
      ).toHaveLength(1);
  });

  it('of one person in parallel requests sends one invitation', async () => {
    const own = await people.waiting();
    const approve = () => admin.post(`/${own.id}/approve`);
    for (const { body } of await Promise.all([approve(), approve(), approve(), approve()]))
      expect(body.status).toBe('approved');
    await people.settled();
    expect(people.outbox(await emailOf(own))).toHaveLength(2);
  });

  it('needs a verified address, also after a denial', async () => {
    const email = people.newAddress();
    await people.asked(email);
    const { data } = (await admin.get<Entries>(`?q=${email}`)).body;
    const id = data[0]?.id ?? '';
    const refused = await admin.post(`/${id}/approve`);
    expect(refused).toBeProblem(409, 'waitlist.not_verified');
    await admin.post(`/${id}/deny`);
    expect((await admin.post(`/${id}/approve`)).status).toBe(409);
    expect((await admin.post<BatchView>('/approve', { ids: [id] })).body.size).toBe(0);
    await people.settled();
    expect(people.outbox(email)).toHaveLength(1);
    expect(await app.services.waitlistAccess.isApproved(email)).toBe(false);
  });

  it('lets the address enter, and no other address of its mailbox', async () => {
    const email = people.newAddress();
    const own = await people.waiting({ email });
    const access = app.services.waitlistAccess;
    expect(await access.isApproved(email)).toBe(false);
    await admin.post(`/${own.id}/approve`);
    expect(await access.isApproved(email.toUpperCase())).toBe(true);
    expect(await access.isApproved(email.replace('@', '+x@'))).toBe(false);
    await access.setJoined(email);
    expect((await entry(own.id)).status).toBe('joined');
    expect(await access.isApproved(email)).toBe(true);
    const denied = await admin.post(`/${own.id}/deny`);
    expect(denied).toBeProblem(409, 'waitlist.already_joined');
  });
});

describe('an admin of the waitlist', () => {
  it('who denies people withdraws the credit for their referral, and sends nothing', async () => {
    const [own, keeper] = [await people.waiting(), await people.waiting()];
    const friend = await people.waiting({ referral_code: own.referral_code });
    expect((await entry(own.id)).score).toBe(10);
    const denied = await admin.post('/deny', { ids: [friend.id, keeper.id] });
    expect(denied.body).toEqual({ denied: 2 });
    await people.settled();
    expect((await entry(own.id)).score).toBe(0);
    const withheld = { status: 'denied', credit: 'withheld', credit_reasons: ['denied'] };
    expect(await entry(friend.id)).toMatchObject(withheld);
    expect(people.outbox(await emailOf(friend))).toHaveLength(1);
  });

  it('sees why credit was withheld, and can override it', async () => {
    const own = await people.waiting({}, '198.51.100.1');
    const friend = await people.waiting({ referral_code: own.referral_code }, '198.51.100.2');
    const withheld = { credit: 'withheld', credit_reasons: ['same_network'] };
    expect(await entry(friend.id)).toMatchObject(withheld);
    const { data } = (await admin.get<Entries>(`?credit=withheld&referred_by=${own.id}`)).body;
    expect(data.map(({ id }) => id)).toEqual([friend.id]);
    const patch = (payload: object, id = friend.id) => admin.patch(`/${id}`, payload);
    expect((await patch({ credit: 'granted' })).body).toMatchObject({ credit: 'granted' });
    expect((await people.me(own.token)).amount_referred).toBe(1);
    await patch({ credit: 'withheld', name: 'Friend' });
    const byAdmin = { name: 'Friend', credit_reasons: ['withheld_by_admin'] };
    expect(await entry(friend.id)).toMatchObject(byAdmin);
    expect((await people.me(own.token)).amount_referred).toBe(0);
    expect(await patch({ credit: 'granted' }, own.id)).toBeProblem(409, 'waitlist.credit_fixed');
  });
});

describe('a CSV file', () => {
  it('imports people as verified with a reason, or sends them a link', async () => {
    const known = await emailOf(await people.waiting());
    const [sure, asked] = [people.newAddress(), people.newAddress()];
    const answer = await importCsv(
      'email,name,verified_because\n' +
        `${sure},Sure,Customer since 2024\n${asked},Asked,\n${known},Known,Again\n`,
    );
    expect(answer.body).toEqual({
      succeeded: 2,
      failed: [{ line: 4, code: 'waitlist.entry_exists', detail: expect.any(String) as string }],
    });
    const found = async (email: string) => (await admin.get<Entries>(`?q=${email}`)).body.data[0];
    expect(await found(sure)).toMatchObject({
      status: 'verified',
      source: 'import',
      verified_because: 'Customer since 2024',
      consent_version: null,
    });
    expect(await found(asked)).toMatchObject({ status: 'pending', verified_because: null });
    const mail = await people.mailTo(asked);
    expect((await people.verify(tokenIn(mail))).status).toBe(200);
    await people.settled();
    expect(people.outbox(sure)).toEqual([]);
  });

  it('imports nothing of a file with an invalid row, and names its line', async () => {
    const fine = people.newAddress();
    const answer = await importCsv(`email,name\n${fine},Fine\n${people.newAddress()},a\tb\n`);
    expect(answer).toBeInvalid('body.3.name');
    expect((await admin.get<Entries>(`?q=${fine}`)).body.data).toEqual([]);
  });

  it('takes 2,000 rows in their order', async () => {
    const rows = Array.from({ length: 2000 }, (_, at) => `bulk${at}@example.org,,List of 2024`);
    const answer = await importCsv(`email,name,verified_because\n${rows.join('\n')}\n`);
    expect(answer.body).toEqual({ succeeded: 2000, failed: [] });
    const { rows: stored } = await sql<{ email: string }>`select email from waitlist_entries
      where email like 'bulk%' order by verified_at, id`.execute(app.stores.db);
    expect(stored.map(({ email }) => email)).toEqual(rows.map((row) => row.split(',')[0]));
    expect((await importCsv(`email\n${'a@example.org\n'.repeat(2001)}`)).status).toBe(422);
  }, 300_000);

  it('of the export has no formula', async () => {
    await people.waiting({ name: '=HYPERLINK("https://evil.example")' });
    const file = await admin.get('/export?q=HYPERLINK');
    expect(file.text).toContain(`"'=HYPERLINK(""https://evil.example"")"`);
    expect(file.text.split('\r\n')[0]).toMatch(/^id,email,name,status,score/);
  });
});

describe('the counts and scores', () => {
  it('are what a rebuild computes, which repairs them', async () => {
    const { kept, counted } = await counts();
    expect(kept).toEqual(counted);
    await sql`update waitlist_entries set score = 990, amount_referred = 99 where id in
    (select id from waitlist_entries where status = 'verified' and score = 0 limit 2)`.execute(
      app.stores.db,
    );
    expect((await admin.post('/rebuild')).body).toEqual({ corrected: 2 });
    const order = await orderOf();
    const { countAhead } = createRankingStore(app.stores.db);
    for (const at of [0, 1, 10, 1000, order.length - 1]) {
      const row = await people.row(order[at] ?? '');
      if (row?.verified_at == null) throw new Error('not verified');
      const { id, score, verified_at: verifiedAt } = row;
      expect(await countAhead({ id, score, verifiedAt })).toBe(at);
    }
    const { entries } = (await admin.get<FiguresView>('/stats')).body;
    expect(entries.verified).toBe(order.length);
  }, 120_000);
});

describe('the sign-up with WAITLIST=on', () => {
  const signUp = (email: string, consent = true) =>
    people.post('/signup', { email, name: 'Ana', company: 'Acme', plan: 'self-hosted', consent });

  it('puts people on the waitlist, and gives approved people the link', async () => {
    const email = people.newAddress();
    const first = await signUp(email);
    expect((await signUp(people.newAddress(), false)).status).toBe(422);
    const mail = await people.mailTo(email);
    expect(mail.subject).toBe('Confirm your place on the Acme waitlist');
    const own = (await people.verify(tokenIn(mail))).body;
    expect(await people.row(own.id)).toMatchObject({
      source: 'signup',
      metadata: { company: 'Acme', plan: 'self-hosted' },
    });
    await admin.post(`/${own.id}/approve`);
    await people.mailTo(email, { after: 1 });
    const again = await signUp(email);
    expect(again).toMatchObject({ status: first.status, text: first.text });
    expect((await people.mailTo(email, { after: 2 })).text).toContain(
      'https://svc.example/signup/confirm?token=',
    );
    expect((await people.page('/signup')).text).toContain('join the waitlist');
  });

  it('answers before anything is looked up', async () => {
    await people.settled();
    const before = await app.stores.db.selectFrom('signups').selectAll().execute();
    const unknown = people.newAddress();
    expect((await signUp(unknown)).status).toBe(200);
    await people.settled();
    expect(await app.stores.db.selectFrom('signups').selectAll().execute()).toEqual(before);
  });
});

describe('the sign-in with SIGN_UP=invitation', () => {
  it('lets approved people in, and notes that they have joined', async () => {
    const closed = await freshApp({
      env: { BASE_URL: 'https://svc.example', SIGN_UP: 'invitation', WAITLIST: 'on' },
    });
    try {
      await closed.services.queues.start();
      const others = new People(closed);
      const email = others.newAddress();
      const own = await others.waiting({ email });
      const signIn = () =>
        closed.services.users.signInAs({ kind: 'email', key: email, value: email });
      await expect(signIn()).rejects.toMatchObject({ code: 'users.sign_up_closed' });
      const approved = await others.as(asAdmin).post(`${path}/${own.id}/approve`);
      expect(approved.status).toBe(200);
      expect((await signIn()).isNew).toBe(true);
      expect((await others.row(own.id))?.status).toBe('joined');
    } finally {
      await closed.close();
    }
  }, 300_000);
});
