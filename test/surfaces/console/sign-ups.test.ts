import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { faultsOf, home, personOf, unknownId } from './pages.ts';

const app = await sharedApp('console');
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

const at = new Date();

/** Adds a sign-up, and returns the path of its page. */
async function signedUp(email: string, details: object = {}): Promise<string> {
  const id = randomUUID();
  const row = { id, email, asked: 1, created_at: at, last_asked_at: at, ...details };
  await app.stores.db.insertInto('signups').values(row).execute();
  return `users/sign-ups/${id}`;
}

describe('the page of a sign-up', () => {
  it('says who it is, what was agreed to, and whose account came of it', async () => {
    const grace = await personOf(app, 'grace@example.com');
    const path = await signedUp('grace@example.com', {
      ...{ name: 'Grace <b>', company: 'Navy', plan: 'gone' },
      ...{ confirmed_at: at, consent_at: at },
    });
    const { status, text } = await admin.page(path);
    expect(status).toBe(200);
    expect(await faultsOf(text)).toEqual([]);
    for (const part of ['Grace &lt;b&gt;', 'Navy', 'gone', '>Confirmed<', 'Agreed <time'])
      expect(text).toContain(part);
    expect(text).toContain(`href="${home}users/${grace.userId}"`);
    expect(text).toContain(`href="${home}${path}/delete"`);
  });

  it('of an unconfirmed address says when it ends, and that there is no account', async () => {
    const { text } = await admin.page(await signedUp('nobody@example.com'));
    expect(text).toContain('>Unconfirmed<');
    expect(text).toContain('Not yet. After a week, the sign-up is deleted.');
    expect(text).toContain('None yet. The first sign-in creates it.');
    expect(text).not.toContain('View user');
  });

  it('is for admins, and of sign-ups that exist', async () => {
    const path = await signedUp('closed@example.com');
    expect((await viewer.page(path)).status).toBe(403);
    expect((await admin.page(`users/sign-ups/${unknownId}`)).status).toBe(404);
  });
});
