import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { asAdmin, type TestApp } from '../../support/app.ts';
import { clockFromNoon } from '../../support/clock.ts';
import { createResetTests, follow, type Person, tokenIn } from './resets-support.ts';

const dayMs = 86_400_000;
let app: TestApp;
let offset = 0;
const noon = clockFromNoon();
const clock = { now: () => noon.now() + offset };
const t = createResetTests(() => app, clock.now);
let ada: Person;
let bob: Person;
let eve: Person;

beforeAll(async () => {
  app = await sharedApp('people', { clock });
}, 120_000);

// Fresh sign-ins: the clock moves by days.
beforeEach(async () => {
  await app.stores.db.updateTable('users').set({ roles: [] }).execute();
  [ada, bob, eve] = [await t.admin(), await t.admin(), await t.admin()];
});

const codeOf = ({ status, body }: Awaited<ReturnType<typeof t.call>>) => [status, body.code];
const setRoles = (person: Person, roles: ('admin' | 'viewer')[]) =>
  app.services.users.setRoles(person.userId, roles);

async function requested() {
  const owner = await t.owner();
  await t.request(ada, owner.userId);
  expect(await t.stateOf(owner.userId)).toBe('requested');
  return owner;
}

async function approved() {
  const owner = await requested();
  await t.approve(bob, owner.userId);
  expect(await t.stateOf(owner.userId)).toBe('approved');
  return owner;
}

/** Lets a day pass. The factors must still be there. */
async function expectKept(userId: string): Promise<void> {
  offset += dayMs + 60_000;
  await t.runDue();
  expect(await t.belongingsOf(userId)).toMatchObject({ app: true, codes: 10 });
}

describe('abuse of a 2FA reset', () => {
  it('the requester approves their own request: refused, also ten times at once', async () => {
    const { userId } = await requested();
    const answers = await Promise.all(Array.from({ length: 10 }, () => t.approve(ada, userId)));
    for (const answer of answers)
      expect(codeOf(answer)).toEqual([403, 'factor_resets.own_request']);
    expect(await t.stateOf(userId)).toBe('requested');
    await expectKept(userId);
  });

  it('the user asks for or approves the reset of their own account: refused', async () => {
    const owner = await t.owner();
    await setRoles(owner, ['admin']);
    const refused = [403, 'factor_resets.own_account'];
    expect(codeOf(await t.request(owner, owner.userId))).toEqual(refused);
    await t.request(ada, owner.userId);
    expect(codeOf(await t.approve(owner, owner.userId))).toEqual(refused);
    expect(await t.stateOf(owner.userId)).toBe('requested');
  });

  it('an API key asks or approves, even ADMIN_API_KEY: refused; it may cancel', async () => {
    const owner = await t.owner();
    const key = { bearer: asAdmin };
    const refused = [403, 'factor_resets.person_required'];
    expect(codeOf(await t.request(key, owner.userId))).toEqual(refused);
    await t.request(ada, owner.userId);
    expect(codeOf(await t.approve(key, owner.userId))).toEqual(refused);
    expect((await t.cancel(key, owner.userId)).status).toBe(204);
    expect((await t.show(key, owner.userId)).body).toMatchObject({
      status: 'canceled',
      canceled_by: null,
    });
  });

  it('a viewer, a person without a role, and nobody: refused everywhere', async () => {
    const { userId } = await requested();
    await setRoles(eve, ['viewer']);
    const stranger = await t.newcomer();
    for (const by of [eve, stranger])
      for (const act of [t.request, t.approve, t.cancel, t.show])
        expect((await act(by, userId)).status).toBe(403);
    const nobody = { bearer: { authorization: 'Bearer svca_nothing' } };
    for (const act of [t.request, t.approve, t.cancel, t.show])
      expect((await act(nobody, userId)).status).toBe(401);
    expect(await t.stateOf(userId)).toBe('requested');
  });

  it('an admin who signed in ten minutes ago asks or approves: has to sign in again', async () => {
    const owner = await t.owner();
    offset += 10 * 60_000;
    expect(codeOf(await t.request(ada, owner.userId))).toEqual([401, 'auth.step_up_required']);
    ada = await t.admin();
    await t.request(ada, owner.userId);
    expect(codeOf(await t.approve(bob, owner.userId))).toEqual([401, 'auth.step_up_required']);
    expect(await t.stateOf(owner.userId)).toBe('requested');
  });

  it('two admins approve at once: one counts', async () => {
    const { userId } = await requested();
    const answers = await Promise.all([bob, eve].map((by) => t.approve(by, userId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe(
      'factor_resets.already_approved',
    );
    const actions = await t.actionsOf(userId);
    expect(actions.filter((action) => action === 'factor_reset.approved')).toHaveLength(1);
  });

  it('the same admin approves again: the day does not start anew', async () => {
    const { userId } = await requested();
    const first = await t.approve(bob, userId);
    offset += 60_000;
    const again = await t.approve(bob, userId);
    expect(again).toEqual(first);
    expect((await t.actionsOf(userId)).filter((each) => each.endsWith('.approved'))).toHaveLength(
      1,
    );
  });

  it('an approval after the cancellation: refused', async () => {
    const { userId } = await requested();
    await t.cancel(eve, userId);
    expect(codeOf(await t.approve(bob, userId))).toEqual([404, 'factor_resets.not_found']);
    await expectKept(userId);
  });

  it('an approval of a request that was replaced by another one: refused', async () => {
    const { userId } = await requested();
    const { id } = (await t.show(bob, userId)).body;
    await t.cancel(ada, userId);
    await t.request(ada, userId);
    const answer = await t.call(bob, userId, 'POST', '/approve', { id });
    expect(codeOf(answer)).toEqual([409, 'factor_resets.changed']);
    expect(await t.stateOf(userId)).toBe('requested');
  });

  it('the requester is no longer an admin: nobody can approve', async () => {
    const { userId } = await requested();
    await setRoles(ada, []);
    expect(codeOf(await t.approve(bob, userId))).toEqual([409, 'factor_resets.requester_gone']);
  });

  it.each([
    ['the requester loses the role', () => setRoles(ada, ['viewer'])],
    ['the approver loses the role', () => setRoles(bob, [])],
    ['the approver is disabled', () => app.services.users.setDisabled(bob.userId, true)],
  ])('%s before the day is over: canceled, and everybody is told', async (_title, change) => {
    const owner = await approved();
    await change();
    await expectKept(owner.userId);
    expect(await t.reasonOf(owner.userId)).toBe('admin_lost');
    await t.textTo(owner.email, '2FA reset canceled');
  });

  it('the account is disabled meanwhile: canceled, and nothing is removed', async () => {
    const owner = await approved();
    await app.services.users.setDisabled(owner.userId, true);
    await expectKept(owner.userId);
    expect(await t.reasonOf(owner.userId)).toBe('user_disabled');
  });

  it('the account is deleted meanwhile: the reset goes with it', async () => {
    const owner = await approved();
    await app.services.ownAccount.deletions.deleteNow(owner.userId, {
      actor: { kind: 'user', id: ada.userId },
      address: '203.0.113.9',
      requestId: 'request-of-a-test',
    });
    offset += dayMs + 60_000;
    await t.runDue();
    expect((await t.actionsOf(owner.userId)).filter((each) => each.endsWith('.completed'))).toEqual(
      [],
    );
  });

  it('opening the link changes nothing, and looks the same for every token', async () => {
    const owner = await approved();
    const token = tokenIn(await t.textTo(owner.email, '2FA reset approved'));
    const pages = await Promise.all(
      [token, token, 'A'.repeat(43)].map(async (each) =>
        (await follow(app, 'GET', each)).body.replaceAll(each, 'TOKEN'),
      ),
    );
    expect(new Set(pages).size).toBe(1);
    expect(await t.stateOf(owner.userId)).toBe('approved');
  });

  it('a link that was cut off, or is hostile: refused, and no effect', async () => {
    const owner = await approved();
    const token = tokenIn(await t.textTo(owner.email, '2FA reset approved'));
    for (const method of ['GET', 'POST'] as const)
      for (const each of ['', '%00', "' or 1=1 --", '<script>', token.slice(0, -1), `${token}A`]) {
        const { statusCode, body } = await follow(app, method, each);
        expect({
          statusCode,
          includesThisLinkIs: body.includes('This link is incomplete'),
        }).toEqual({ statusCode: 400, includesThisLinkIs: true });
        expect(body).not.toContain('<script>');
      }
    expect(await t.stateOf(owner.userId)).toBe('approved');
  });

  it('a token that is guessed or used: the same answer, and no effect', async () => {
    const owner = await approved();
    const token = tokenIn(await t.textTo(owner.email, '2FA reset approved'));
    const answers = [await follow(app, 'POST', 'A'.repeat(43))];
    expect(await t.stateOf(owner.userId)).toBe('approved');
    answers.push(await follow(app, 'POST', token));
    expect(await t.reasonOf(owner.userId)).toBe('link');
    ada = await t.admin();
    expect((await t.request(ada, owner.userId)).status).toBe(201);
    answers.push(await follow(app, 'POST', token));
    expect(await t.stateOf(owner.userId)).toBe('requested');
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    expect(app.log()).not.toContain(token);
  });

  it('a page of another site sends the form: refused', async () => {
    const owner = await approved();
    const token = tokenIn(await t.textTo(owner.email, '2FA reset approved'));
    const answer = await app.http.inject({
      method: 'POST',
      url: '/account/factor-reset',
      payload: `token=${token}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
      },
    });
    expect(answer.statusCode).toBe(403);
    expect(await t.stateOf(owner.userId)).toBe('approved');
  });

  it('a second request while one is open: refused, also at once', async () => {
    const owner = await t.owner();
    const answers = await Promise.all([ada, bob, eve].map((by) => t.request(by, owner.userId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(codeOf(await t.request(bob, owner.userId))).toEqual([409, 'factor_resets.already_open']);
  });

  it('more than three requests for a user in a day: refused', async () => {
    const { userId } = await requested();
    for (let count = 1; count < 3; count += 1) {
      await t.cancel(bob, userId);
      expect((await t.request(ada, userId)).status).toBe(201);
    }
    await t.cancel(bob, userId);
    expect(codeOf(await t.request(ada, userId))).toEqual([429, 'factor_resets.rate_limited']);
  });

  it('with one other admin: refused, and the answer says how many are missing', async () => {
    await setRoles(bob, []);
    await setRoles(eve, []);
    const owner = await t.owner();
    await setRoles(owner, ['admin']);
    expect(await t.request(ada, owner.userId)).toMatchObject({
      status: 409,
      body: { code: 'factor_resets.too_few_admins', admins_needed: 1 },
    });
    expect(await t.stateOf(owner.userId)).toBeUndefined();
  });

  it('of somebody without a second factor, of nobody, without a reason: refused', async () => {
    const person = await t.newcomer();
    expect(codeOf(await t.request(ada, person.userId))).toEqual([
      409,
      'factor_resets.nothing_to_reset',
    ]);
    const nobody = '01985f6e-0000-7000-8000-000000000000';
    expect(codeOf(await t.request(ada, nobody))).toEqual([404, 'users.not_found']);
    for (const payload of [
      {},
      { reason: '  ' },
      { reason: 'a\u0000b' },
      { reason: 'a'.repeat(501) },
    ])
      expect((await t.call(ada, person.userId, 'POST', '', payload)).status).toBe(422);
  });

  it('a reset that has taken effect can’t be canceled', async () => {
    const { userId } = await approved();
    offset += dayMs + 60_000;
    await t.runDue();
    const admin = await t.admin();
    expect(codeOf(await t.cancel(admin, userId))).toEqual([409, 'factor_resets.took_effect']);
  });
});

describe('a 2FA reset on replicas that run, die and lose their stores', () => {
  it('three replicas that run the job at once complete it once', async () => {
    const owner = await approved();
    offset += dayMs + 60_000;
    await Promise.all([1, 2, 3].map(() => t.runDue()));
    expect(await t.stateOf(owner.userId)).toBe('completed');
    const actions = await t.actionsOf(owner.userId);
    expect(actions.filter((action) => action === 'factor_reset.completed')).toHaveLength(1);
    await t.textTo(owner.email, 'Two-factor authentication removed');
    const told = t.textsTo(owner.email).filter((text) => text.includes('authentication removed'));
    expect(told).toHaveLength(1);
  });

  it('a replica that died after removing the factors: the next run ends the sessions', async () => {
    const owner = await approved();
    offset += dayMs + 60_000;
    // As the first transaction leaves it.
    const { db } = app.stores;
    await db.deleteFrom('totp_factors').where('user_id', '=', owner.userId).execute();
    await db
      .updateTable('factor_resets')
      .set({ state: 'completing' })
      .where('user_id', '=', owner.userId)
      .execute();
    expect((await t.belongingsOf(owner.userId)).sessions).toBe(1);
    const admin = await t.admin();
    expect(codeOf(await t.cancel(admin, owner.userId))).toEqual([409, 'factor_resets.took_effect']);
    await t.runDue();
    expect((await t.belongingsOf(owner.userId)).sessions).toBe(0);
    expect(await t.stateOf(owner.userId)).toBe('completed');
    await t.textTo(owner.email, 'Two-factor authentication removed');
  });

  it('is kept when messages can’t be queued: the day begins once people are told', async () => {
    const owner = await requested();
    const { db } = app.stores;
    const toldOf = async () => (await app.services.factorResets.latest(owner.userId))?.told;
    await sql`alter table deliveries rename to deliveries_away`.execute(db);
    expect((await t.approve(bob, owner.userId)).status).toBe(200);
    await sql`alter table deliveries_away rename to deliveries`.execute(db);
    expect(await toldOf()).toBe('requested');
    expect(app.log()).toContain('messages about a 2FA reset are late');
    expect(t.textsTo(owner.email).join()).not.toContain('2FA reset approved');
    const approvedAt = clock.now();
    offset += dayMs + 60_000;
    await t.runDue();
    expect(await t.stateOf(owner.userId)).toBe('approved');
    expect((await t.belongingsOf(owner.userId)).app).toBe(true);
    expect(await toldOf()).toBe('approved');
    const late = await app.services.factorResets.latest(owner.userId);
    expect(late?.due_at?.getTime()).toBeGreaterThanOrEqual(approvedAt + 2 * dayMs);
    await t.textTo(owner.email, '2FA reset approved');
    offset += dayMs + 60_000;
    await t.runDue();
    expect(await t.stateOf(owner.userId)).toBe('completed');
  });
});
