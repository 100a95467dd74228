import { sql } from 'kysely';
import { describe, expect } from 'vitest';
import { dayMs, minuteMs } from '../../../../src/lib/durations.ts';
import { atOnce, oneOf } from '../../../support/abuse-tables.ts';
import { asAdmin } from '../../../support/app.ts';
import { it } from '../../../support/test.ts';
import type { Person } from '../factors/people.ts';
import { useResets } from './support.ts';

const t = await useResets();
const { approve, approved, by, cancel, pass, reasonOf, request, requested, show, stateOf } = t;
const setRoles = ({ userId }: Person, roles: ('admin' | 'viewer')[]) =>
  t.app.services.users.setRoles(userId, roles);
const setDisabled = ({ userId }: Person) => t.app.services.users.setDisabled(userId, true);

/** Lets a day pass. */
async function nextDay(): Promise<void> {
  pass(dayMs + minuteMs);
  await t.runDue();
}

/** Lets a day pass. The factors must still be there. */
async function expectKept(userId: string): Promise<void> {
  await nextDay();
  expect(await t.belongingsOf(userId)).toMatchObject({ app: true, codes: 10 });
}

describe('a request for a 2FA reset', () => {
  it('is refused for your own account, and so is its approval', async () => {
    const owner = await t.newOwner();
    await setRoles(owner, ['admin']);
    const refused = [403, 'factor_resets.own_account'] as const;
    expect(await request(owner, owner.userId)).toBeProblem(...refused);
    await request(by.ada, owner.userId);
    expect(await approve(owner, owner.userId)).toBeProblem(...refused);
    expect(await stateOf(owner.userId)).toBe('requested');
  });

  it('is refused to API keys, even to ADMIN_API_KEY, which may only cancel', async () => {
    const { userId } = await t.newOwner();
    const key = { bearer: asAdmin };
    const refused = [403, 'factor_resets.person_required'] as const;
    expect(await request(key, userId)).toBeProblem(...refused);
    await request(by.ada, userId);
    expect(await approve(key, userId)).toBeProblem(...refused);
    expect(await cancel(key, userId)).toMatchObject({ status: 204 });
    expect((await show(key, userId)).body).toMatchObject({
      status: 'canceled',
      canceled_by: null,
    });
  });

  it('is refused everywhere to viewers, people without a role, and nobody', async () => {
    const { userId } = await requested();
    await setRoles(by.eve, ['viewer']);
    const nobody = { bearer: { authorization: 'Bearer svca_nothing' } };
    const stranger = await t.newPerson();
    for (const act of [request, approve, cancel, show]) {
      expect(await act(by.eve, userId)).toMatchObject({ status: 403 });
      expect(await act(stranger, userId)).toMatchObject({ status: 403 });
      expect(await act(nobody, userId)).toMatchObject({ status: 401 });
    }
    expect(await stateOf(userId)).toBe('requested');
  });

  it('and its approval need a sign-in within the last minutes', async () => {
    const { userId } = await t.newOwner();
    pass(10 * minuteMs);
    expect(await request(by.ada, userId)).toBeProblem(401, 'auth.step_up_required');
    await request(await t.newAdmin(), userId);
    expect(await approve(by.bob, userId)).toBeProblem(401, 'auth.step_up_required');
    expect(await stateOf(userId)).toBe('requested');
  });

  it('is refused while another one is open, also at once', async () => {
    const { userId } = await t.newOwner();
    const admins = [by.ada, by.bob, by.eve];
    expect(await atOnce(3, () => request(admins.pop() ?? by.ada, userId))).toEqual(
      oneOf(3, 201, 409),
    );
    expect(await request(by.bob, userId)).toBeProblem(409, 'factor_resets.already_open');
  });

  it('is refused after three for the same user in a day', async () => {
    const { userId } = await requested();
    for (let count = 1; count < 3; count += 1) {
      await cancel(by.bob, userId);
      expect(await request(by.ada, userId)).toMatchObject({ status: 201 });
    }
    await cancel(by.bob, userId);
    expect(await request(by.ada, userId)).toBeProblem(429, 'factor_resets.rate_limited');
  });

  it('is refused with one other admin, and the response says how many are missing', async () => {
    await setRoles(by.bob, []);
    await setRoles(by.eve, []);
    const owner = await t.newOwner();
    await setRoles(owner, ['admin']);
    expect(await request(by.ada, owner.userId)).toMatchObject({
      status: 409,
      body: { code: 'factor_resets.too_few_admins', admins_needed: 1 },
    });
    expect(await stateOf(owner.userId)).toBeUndefined();
  });

  it('is refused for somebody without a second factor, and for nobody', async () => {
    const { userId } = await t.newPerson();
    expect(await request(by.ada, userId)).toBeProblem(409, 'factor_resets.nothing_to_reset');
    const nobody = '01985f6e-0000-7000-8000-000000000000';
    expect(await request(by.ada, nobody)).toBeProblem(404, 'users.not_found');
  });

  it.each([{}, { reason: '  ' }, { reason: 'a\u0000b' }, { reason: 'a'.repeat(501) }])(
    'needs a reason: %j',
    async (body) => {
      const { userId } = await t.newPerson();
      expect(await request(by.ada, userId, body)).toMatchObject({ status: 422 });
    },
  );
});

describe('an approval of a 2FA reset', () => {
  it('is refused to the requester, also ten times at once', async () => {
    const { userId } = await requested();
    const responses = await Promise.all(Array.from({ length: 10 }, () => approve(by.ada, userId)));
    for (const refused of responses) expect(refused).toBeProblem(403, 'factor_resets.own_request');
    expect(await stateOf(userId)).toBe('requested');
    await expectKept(userId);
  });

  it('counts once when two admins approve at once', async () => {
    const { userId } = await requested();
    const responses = await Promise.all([by.bob, by.eve].map((admin) => approve(admin, userId)));
    const [first, second] = responses.sort((a, b) => a.status - b.status);
    expect(first).toMatchObject({ status: 200 });
    expect(second).toBeProblem(409, 'factor_resets.already_approved');
    expect(await t.count(userId, 'approved')).toBe(1);
  });

  it('that is repeated does not restart the 24 hours', async () => {
    const { userId } = await requested();
    const first = await approve(by.bob, userId);
    pass(minuteMs);
    const { status, body } = await approve(by.bob, userId);
    expect({ status, body }).toEqual({ status: first.status, body: first.body });
    expect(await t.count(userId, 'approved')).toBe(1);
  });

  it('is refused after the cancellation', async () => {
    const { userId } = await requested();
    await cancel(by.eve, userId);
    expect(await approve(by.bob, userId)).toBeProblem(404, 'factor_resets.not_found');
    await expectKept(userId);
  });

  it('is refused for a request that was replaced by another one', async () => {
    const { userId } = await requested();
    const { id } = (await show(by.bob, userId)).body;
    await cancel(by.ada, userId);
    await request(by.ada, userId);
    expect(await approve(by.bob, userId, { id })).toBeProblem(409, 'factor_resets.changed');
    expect(await stateOf(userId)).toBe('requested');
  });

  it('is refused when the requester is no longer an admin', async () => {
    const { userId } = await requested();
    await setRoles(by.ada, []);
    expect(await approve(by.bob, userId)).toBeProblem(409, 'factor_resets.requester_gone');
  });
});

describe('an approved 2FA reset', () => {
  it.each([
    ['the requester loses the role', () => setRoles(by.ada, ['viewer'])],
    ['the approver loses the role', () => setRoles(by.bob, [])],
    ['the approver is disabled', () => setDisabled(by.bob)],
  ])('is canceled when %s within the day, and everybody is notified', async (_title, change) => {
    const { userId, email } = await approved();
    await change();
    await expectKept(userId);
    expect(await reasonOf(userId)).toBe('admin_lost');
    await t.textTo(email, '2FA reset canceled');
  });

  it('is canceled when the account is disabled, and nothing is removed', async () => {
    const owner = await approved();
    await setDisabled(owner);
    await expectKept(owner.userId);
    expect(await reasonOf(owner.userId)).toBe('user_disabled');
  });

  it('goes with an account that is deleted', async () => {
    const { userId } = await approved();
    await t.app.services.ownAccount.deletions.deleteNow(userId, {
      actor: { kind: 'user', id: by.ada.userId },
      address: '203.0.113.9',
      requestId: 'request-of-a-test',
    });
    await nextDay();
    expect(await t.count(userId, 'completed')).toBe(0);
  });

  it('can’t be canceled once it has taken effect', async () => {
    const { userId } = await approved();
    await nextDay();
    expect(await cancel(await t.newAdmin(), userId)).toBeProblem(409, 'factor_resets.took_effect');
  });
});

describe('the link that cancels a 2FA reset', () => {
  it('changes nothing when it is opened, and looks the same for every token', async () => {
    const { userId, email } = await approved();
    const token = await t.tokenTo(email);
    const pageOf = async (shown: string) =>
      (await t.openLink(shown)).text.replaceAll(shown, 'TOKEN');
    const page = await pageOf(token);
    expect(await pageOf(token)).toBe(page);
    expect(await pageOf('A'.repeat(43))).toBe(page);
    expect(await stateOf(userId)).toBe('approved');
  });

  it('is refused when it was cut off or is hostile, and has no effect', async () => {
    const { userId, email } = await approved();
    const token = await t.tokenTo(email);
    for (const wrong of ['', '%00', "' or 1=1 --", '<script>', token.slice(0, -1), `${token}A`])
      for (const refused of [await t.openLink(wrong), await t.pressButton(wrong)]) {
        expect(refused.status).toBe(400);
        expect(refused.text).toContain('This link is incomplete');
        expect(refused.text).not.toContain('<script>');
      }
    expect(await stateOf(userId)).toBe('approved');
  });

  it('gets the same response with a token that is guessed, right or used', async () => {
    const { userId, email } = await approved();
    const token = await t.tokenTo(email);
    const guessed = await t.pressButton('A'.repeat(43));
    expect(guessed.status).toBe(200);
    expect(await stateOf(userId)).toBe('approved');
    const right = await t.pressButton(token);
    expect(await reasonOf(userId)).toBe('link');
    expect(await request(await t.newAdmin(), userId)).toMatchObject({ status: 201 });
    const used = await t.pressButton(token);
    expect(await stateOf(userId)).toBe('requested');
    const { status, text } = guessed;
    for (const response of [right, used]) expect(response).toMatchObject({ status, text });
    expect(t.app.log()).not.toContain(token);
  });

  it('is refused when a page of another site sends the form', async () => {
    const { userId, email } = await approved();
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(await t.pressButton(await t.tokenTo(email), foreign)).toMatchObject({ status: 403 });
    expect(await stateOf(userId)).toBe('approved');
  });
});

describe('a 2FA reset on replicas that run, die and lose their stores', () => {
  it('is completed once by three replicas that run the job at once', async () => {
    const { userId, email } = await approved();
    pass(dayMs + minuteMs);
    await Promise.all([t.runDue(), t.runDue(), t.runDue()]);
    expect(await stateOf(userId)).toBe('completed');
    expect(await t.count(userId, 'completed')).toBe(1);
    await t.textTo(email, 'Two-factor authentication removed');
    const told = t.textsTo(email).filter((text) => text.includes('authentication removed'));
    expect(told).toHaveLength(1);
  });

  it('ends the sessions in the next run if a replica died after removing factors', async () => {
    const { userId, email } = await approved();
    pass(dayMs + minuteMs);
    // As the first transaction leaves it.
    const { db } = t.app.stores;
    await db.deleteFrom('totp_factors').where('user_id', '=', userId).execute();
    await db
      .updateTable('factor_resets')
      .set({ state: 'completing' })
      .where('user_id', '=', userId)
      .execute();
    expect(await t.sessionsOf(userId)).toBe(1);
    expect(await cancel(await t.newAdmin(), userId)).toBeProblem(409, 'factor_resets.took_effect');
    await t.runDue();
    expect(await t.sessionsOf(userId)).toBe(0);
    expect(await stateOf(userId)).toBe('completed');
    await t.textTo(email, 'Two-factor authentication removed');
  });

  it('is kept when messages can’t be queued: the day begins with the notices', async () => {
    const { userId, email } = await requested();
    const { db } = t.app.stores;
    await sql`alter table deliveries rename to deliveries_away`.execute(db);
    expect(await approve(by.bob, userId)).toMatchObject({ status: 200 });
    await sql`alter table deliveries_away rename to deliveries`.execute(db);
    expect(await t.latest(userId)).toMatchObject({ told: 'requested' });
    expect(t.app.log()).toContain('messages about a 2FA reset are late');
    expect(t.textsTo(email).join()).not.toContain('2FA reset approved');
    const approvedAt = t.now();
    await nextDay();
    expect(await stateOf(userId)).toBe('approved');
    expect(await t.belongingsOf(userId)).toMatchObject({ app: true });
    const late = await t.latest(userId);
    expect(late?.told).toBe('approved');
    expect(late?.due_at?.getTime()).toBeGreaterThanOrEqual(approvedAt + 2 * dayMs);
    await t.textTo(email, '2FA reset approved');
    await nextDay();
    expect(await stateOf(userId)).toBe('completed');
  });
});
