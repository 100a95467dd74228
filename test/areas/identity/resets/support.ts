import { beforeEach, expect, vi } from 'vitest';
import { TestClient, type TestResponse } from '../../../support/client.ts';
import { clockFromNoon } from '../../../support/clock.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import type { SignedIn } from '../../../support/sign-in.ts';
import { createPeople, type Person } from '../factors/people.ts';

type By = Pick<SignedIn, 'bearer'>;

/** Gives a file three admins who can reset second factors, and a clock. Call it at the top. */
export async function useResets() {
  let offset = 0;
  const noon = clockFromNoon();
  const now = () => noon.now() + offset;
  const app = await sharedApp('people', { clock: { now } });
  const people = createPeople(app, now);
  const by = { ada: {} as Person, bob: {} as Person, eve: {} as Person };

  async function newAdmin(): Promise<Person> {
    const person = await people.newPerson();
    await app.services.users.setRoles(person.userId, ['admin']);
    return person;
  }

  // Fresh sign-ins: the clock moves by days.
  beforeEach(async () => {
    await app.stores.db.updateTable('users').set({ roles: [] }).execute();
    by.ada = await newAdmin();
    by.bob = await newAdmin();
    by.eve = await newAdmin();
  });

  /** Somebody with an authenticator app and backup codes. */
  async function newOwner() {
    const person = await people.newPerson();
    const secret = await people.addApp(person.bearer);
    const from = { address: '203.0.113.9', requestId: 'request-of-a-test' };
    const { codes } = await app.services.secondFactor.newBackupCodes(person.userId, from);
    return { ...person, secret, codes };
  }

  const resetOf = ({ bearer }: By, userId: string) =>
    new TestClient(app).as(bearer).at(`/api/v1/users/${userId}/factor-reset`);
  const request = (admin: By, userId: string, body: object = { reason: 'Lost phone and codes.' }) =>
    resetOf(admin, userId).post('', body);
  const approve = (admin: By, userId: string, body?: object) =>
    resetOf(admin, userId).post('/approve', body);
  const latest = (userId: string) => app.services.factorResets.latest(userId);
  const textsTo = (to: string): string[] =>
    app.services.outbox.list(to).map(({ subject, text }) => `${subject ?? ''}\n${text}`);
  /** Waits for a message. Returns its text. */
  const textTo = (to: string, part: string): Promise<string> =>
    vi.waitFor(
      () => {
        const found = textsTo(to).find((text) => text.includes(part));
        if (found === undefined) throw new Error(`no message to ${to} says ${part}`);
        return found;
      },
      { timeout: 10_000, interval: 50 },
    );

  async function requested() {
    const owner = await newOwner();
    expect(await request(by.ada, owner.userId)).toMatchObject({ status: 201 });
    return owner;
  }

  async function approved() {
    const owner = await requested();
    expect(await approve(by.bob, owner.userId)).toMatchObject({ status: 200 });
    return owner;
  }

  return {
    ...people,
    by,
    get app() {
      return app;
    },
    now,
    pass: (ms: number) => void (offset += ms),
    newAdmin,
    newOwner,
    request,
    approve,
    cancel: (admin: By, userId: string) => resetOf(admin, userId).delete(''),
    show: (admin: By, userId: string) => resetOf(admin, userId).get(''),
    requested,
    approved,
    runDue: () => app.services.factorResets.runDue(),
    latest,
    stateOf: async (userId: string) => (await latest(userId))?.state,
    reasonOf: async (userId: string) => (await latest(userId))?.cancel_reason,
    textsTo,
    textTo,

    /** What somebody still has: factors, backup codes, sessions. */
    async belongingsOf(userId: string) {
      const { secondFactor, devices } = app.services;
      const { totp, passkeys, backupCodes } = await secondFactor.statusOf(userId);
      return {
        app: totp?.verified === true,
        passkeys: passkeys.length,
        codes: backupCodes.left,
        sessions: await people.sessionsOf(userId),
        devices: (await devices.management.listByUser(userId)).length,
      };
    },

    /** How often a step of resets of a user was recorded. */
    async count(userId: string, step: string): Promise<number> {
      const query = { target_id: userId, action: `factor_reset.${step}`, limit: 100 };
      return (await app.services.audit.list(query)).data.length;
    },

    /** The token in the link of a message to the owner of a reset. */
    async tokenTo(email: string, subject = '2FA reset approved'): Promise<string> {
      const text = await textTo(email, subject);
      const token = /\/account\/factor-reset\?token=([\w-]{43})/.exec(text)?.[1];
      if (token === undefined) throw new Error('the message has no link');
      return token;
    },

    /** Opens the page of a link. */
    openLink: (token: string): Promise<TestResponse> =>
      new TestClient(app).page('/account/factor-reset', { query: { token } }),
    /** Presses the button of that page. */
    pressButton: (token: string, headers: Record<string, string> = {}): Promise<TestResponse> =>
      new TestClient(app).form('/account/factor-reset', { token }, { headers }),
  };
}
