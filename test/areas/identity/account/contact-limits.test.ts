import { describe, expect } from 'vitest';
import { ask, askCode, enter, notThe, ownersOf, tally } from '../../../support/abuse.ts';
import { sharedApp } from '../../../support/shared-app.ts';
import { codeFor } from '../../../support/sign-in.ts';
import { it } from '../../../support/test.ts';
import { type Person, signIn } from '../users/people.ts';

const app = await sharedApp('plain');

const startTo = ({ account }: Person, email: string) => account.post('/email', { email });
const times = async <T>(count: number, call: () => Promise<T>): Promise<T[]> => {
  const answers: T[] = [];
  for (let at = 0; at < count; at += 1) answers.push(await call());
  return answers;
};

describe('somebody who asks for codes to the address of somebody else', () => {
  it('uses up their own codes, and the owner signs in on a new device', async () => {
    const owner = await signIn(app);
    const stranger = await signIn(app);
    const answers = await times(5, () => startTo(stranger, owner.email));
    expect(tally(answers)).toEqual({ 200: 3, 429: 2 });
    const after = app.services.outbox.list(owner.email).length;
    const { body } = await ask(app, owner.email);
    const code = await codeFor(app, owner.email, { after });
    expect(await enter(app, owner.email, code, String(body.verification_id))).toMatchObject({
      status: 200,
      body: { user: { id: owner.userId } },
    });
    expect(await ownersOf(app, owner.email)).toEqual([owner.userId]);
  });

  it('does not invalidate the code that the owner is about to enter', async () => {
    const owner = await signIn(app);
    const stranger = await signIn(app);
    const { code, id } = await askCode(app, owner.email);
    expect(await startTo(stranger, owner.email)).toMatchObject({ status: 200 });
    expect(await enter(app, owner.email, code, id)).toMatchObject({ status: 200 });
  });

  it('locks only their own codes by wrong ones', async () => {
    const owner = await signIn(app);
    const stranger = await signIn(app);
    await startTo(stranger, owner.email);
    const wrong = await times(12, () =>
      stranger.account.post('/email/confirm', { code: '000000' }),
    );
    expect(wrong.map(({ status }) => status)).toContain(429);
    const { code, id } = await askCode(app, owner.email);
    expect(await enter(app, owner.email, notThe(code), id)).toMatchObject({ status: 400 });
    expect(await enter(app, owner.email, code, id)).toMatchObject({ status: 200 });
  });

  it('leaves a person who asks for their own new address alone', async () => {
    const next = `next.${Date.now()}@example.org`;
    const [stranger, person] = [await signIn(app), await signIn(app)];
    await times(5, () => startTo(stranger, next));
    const after = app.services.outbox.list(next).length;
    expect(await startTo(person, next)).toMatchObject({ status: 200 });
    const code = await codeFor(app, next, { after });
    expect(await person.account.post('/email/confirm', { code })).toMatchObject({ status: 200 });
    expect(await ownersOf(app, next)).toEqual([person.userId]);
  });

  it('can’t fill the mailbox with many accounts: it gets 20 an hour', async () => {
    const { email } = await signIn(app);
    const before = app.services.outbox.list(email).length;
    const many = 16;
    for (let at = 0; at < many; at += 1)
      await times(3, async () => startTo(await signIn(app), email));
    await app.settled();
    expect(app.services.outbox.list(email).length - before).toBe(20);
  });

  it('uses up no texts to sign in with similar numbers, only those users ask for', async () => {
    const prefix = '+4915112340';
    const numbers = Array.from(
      { length: 25 },
      (_, at) => `${prefix}${String(at).padStart(3, '0')}`,
    );
    const texts = () => numbers.flatMap((to) => app.services.outbox.list(to)).length;
    const stranger = await signIn(app);
    for (const phone of numbers)
      expect(await stranger.account.post('/phone', { phone })).toMatchObject({ status: 200 });
    await app.settled();
    expect(texts()).toBe(20);
    const owned = `${prefix}678`;
    const { code, id } = await askCode(app, owned);
    expect(await enter(app, owned, code, id)).toMatchObject({ status: 200 });
  });
});
