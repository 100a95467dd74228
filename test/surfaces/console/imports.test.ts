import { describe, expect } from 'vitest';
import { minuteMs } from '../../../src/lib/durations.ts';
import { sharedApp } from '../../support/shared-app.ts';
import { it } from '../../support/test.ts';
import { redirectTo } from '../../support/responses.ts';
import { consoleClient, faultsOf, home, personOf } from './pages.ts';

let now = Date.now();

const app = await sharedApp('console', { clock: { now: () => now } });
const admin = await personOf(app, 'ada@example.com', ['admin']);
const viewer = await personOf(app, 'vic@example.com', ['viewer']);

const emails = async () =>
  (await app.stores.db.selectFrom('identities').select('value').execute()).map(
    ({ value }) => value,
  );

describe('an import in the console', () => {
  it.each(['users', 'contact/saved-replies', 'waitlist/entries'])(
    'of %s is reached from its list, and shows the columns',
    async (list) => {
      expect((await admin.page(list)).text).toContain(`href="${home}${list}/import"`);
      const page = await admin.page(`${list}/import`);
      expect(page.status).toBe(200);
      expect(await faultsOf(page.text)).toEqual([]);
      expect(page.text).toMatch(/<code>(email|name)<\/code>[\s\S]{0,120}>(Required|At least one)</);
      expect(page.text).toContain('are skipped');
      const example = await admin.page(`${list}/import/example`);
      expect(example.headers['content-type']).toContain('text/csv');
      const checked = await admin.form(`${list}/import`, { rows: example.text });
      expect(checked.status, checked.text).toBe(200);
      expect(checked.text).toContain('1 row is ready to import.');
    },
  );

  it('shows the first rows, and adds none before that is confirmed', async () => {
    const people = Array.from({ length: 8 }, (_, at) => `p${at}@example.com,P<${at}>`);
    const rows = ['email,name', ...people].join('\n');
    const { status, text } = await admin.form('users/import', { rows });
    expect(status).toBe(200);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toContain('8 rows are ready to import.');
    expect(text).toContain('P&lt;4&gt;');
    expect(text).toContain('And 3 more rows.');
    expect(text).toContain('Import 8 rows');
    expect(await emails()).not.toContain('p0@example.com');
  });

  it('adds the rows, and lists those that were skipped', async () => {
    const rows = [
      'email,name,roles',
      'grace@example.com,Grace <b>,viewer',
      'ada@example.com,Ada again,',
      'alan@example.com,Alan,',
    ].join('\r\n');
    const { status, text } = await admin.form('users/import', { rows, confirmed: 'yes' });
    expect(status).toBe(200);
    expect(await faultsOf(text)).toEqual([]);
    expect(text).toContain('Imported: 2.');
    expect(text).toContain('Skipped rows: 1');
    expect(text).toMatch(/<th scope="row">3<\/th>/);
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
    const answer = await admin.form('users/import', { rows });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain(message);
    expect(await emails()).not.toContain('kim@example.com');
  });

  it('is refused to viewers, to strangers, and without a fresh sign-in', async () => {
    const rows = 'email,roles\neve@example.com,admin';
    for (const person of [viewer, consoleClient(app, {})]) {
      const { status } = await person.form('users/import', { rows });
      expect([303, 401, 403]).toContain(status);
    }
    now += 31 * minuteMs;
    expect(await admin.page('users/import')).toMatchObject(
      redirectTo(expect.stringMatching(/^\/login\?next=.*users%2Fimport.*reason=fresh/)),
    );
    expect([303, 401]).toContain((await admin.form('users/import', { rows })).status);
    expect(await emails()).not.toContain('eve@example.com');
  });
});
