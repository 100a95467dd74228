import { beforeAll, describe, expect } from 'vitest';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import type { TestApp } from '../../support/app.ts';
import { faultsOf, home, look, personOf, submit } from './pages.ts';

let app: TestApp;
let now = Date.now();
let admin: Record<string, string>;
let viewer: Record<string, string>;

beforeAll(async () => {
  app = await sharedApp('console', { clock: { now: () => now } });
  admin = (await personOf(app, 'ada@example.com', ['admin'])).headers;
  viewer = (await personOf(app, 'vic@example.com', ['viewer'])).headers;
}, 60_000);

const emails = async () =>
  (await app.stores.db.selectFrom('identities').select('value').execute()).map(
    ({ value }) => value,
  );

describe('an import in the console', () => {
  it.each(['users', 'records/saved-replies', 'records/waitlist-entries'])(
    'of %s is reached from its list, and shows the columns',
    async (list) => {
      expect((await look(app, list, admin)).body).toContain(`href="${home}${list}/import"`);
      const page = await look(app, `${list}/import`, admin);
      expect(page.statusCode).toBe(200);
      expect(await faultsOf(page.body)).toEqual([]);
      expect(page.body).toMatch(/<code>(email|name)<\/code> \(required\)|<code>email<\/code>/);
    },
  );

  it('adds the rows, and lists those that were skipped', async () => {
    const rows = [
      'email,name,roles',
      'grace@example.com,Grace <b>,viewer',
      'ada@example.com,Ada again,',
      'alan@example.com,Alan,',
    ].join('\r\n');
    const answer = await submit(app, 'users/import', { rows }, admin);
    expect(answer.statusCode).toBe(200);
    expect(await faultsOf(answer.body)).toEqual([]);
    expect(answer.body).toContain('Imported: 2.');
    expect(answer.body).toContain('Skipped rows: 1');
    expect(answer.body).toMatch(/<th scope="row">3<\/th>/);
    expect(await emails()).toEqual(
      expect.arrayContaining(['grace@example.com', 'alan@example.com']),
    );
  });

  it.each([
    ['an invalid row', 'email,name\nkim@example.com,Kim\nnot an address,Lee', 'Line 3, email: '],
    ['an unknown column', 'email,colour\nkim@example.com,red', 'has the unknown columns'],
    ['an open quote', 'email\n"kim@example.com', 'is not a row of CSV'],
    ['no row', ' ', 'Choose a file or paste rows first.'],
    ['too many rows', `email\n${'kim@example.com\n'.repeat(2001)}`, 'the first 2000 rows'],
  ])('with %s changes nothing, and says what is wrong', async (_case, rows, message) => {
    const answer = await submit(app, 'users/import', { rows }, admin);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(message);
    expect(await emails()).not.toContain('kim@example.com');
  });

  it('is refused to viewers, to strangers, and without a fresh sign-in', async () => {
    const rows = 'email,roles\neve@example.com,admin';
    for (const headers of [viewer, {}]) {
      const refused = await submit(app, 'users/import', { rows }, headers);
      expect([303, 401, 403]).toContain(refused.statusCode);
    }
    now += 6 * 60_000;
    const page = await look(app, 'users/import', admin);
    expect({ status: page.statusCode, location: page.headers.location }).toEqual({
      status: 303,
      location: expect.stringMatching(/^\/login\?next=.*users%2Fimport.*reason=fresh/) as string,
    });
    const stale = await submit(app, 'users/import', { rows }, admin);
    expect([303, 401]).toContain(stale.statusCode);
    expect(await emails()).not.toContain('eve@example.com');
  });
});
