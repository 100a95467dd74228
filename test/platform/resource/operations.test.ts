import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Database } from '../../../src/platform/database/database.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { registerOperations } from '../../../src/platform/operations/register.ts';
import { resourceOperations } from '../../../src/platform/resource/operations.ts';
import { createTestHttp } from '../../support/http.ts';
import { openScopes } from '../../support/open-scopes.ts';
import { availableEngines, openTestDatabase } from '../database/engines.ts';
import { composeNotes, createNotesTable } from './notes.ts';

interface Note {
  id: string;
  title: string;
}

describe.each(availableEngines)('on $name, a resource', (engine) => {
  let app: FastifyInstance;
  let db: Database;
  let close: () => Promise<void>;
  const recorded: { action: string; details?: object }[] = [];

  beforeAll(async () => {
    ({ db, close } = await openTestDatabase(engine));
    await createNotesTable(db);
    ({ app } = createTestHttp({ RATE_LIMIT: 'off' }));
    const context = { scopes: openScopes(), clock: systemClock };
    registerOperations(app, context, resourceOperations(composeNotes(db, recorded)));
    await app.ready();
  });
  beforeEach(async () => {
    await sql`delete from notes`.execute(db);
    recorded.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await close();
  });

  const path = '/api/v1/notes';
  const missing = '01986a2b-77c4-7e19-8f03-6d4b9a1e2c58';
  const send = async (method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) =>
    app.inject({ method, url, ...(payload === undefined ? {} : { payload }) });
  const importCsv = (payload: string) =>
    app.inject({
      method: 'POST',
      url: `${path}/import`,
      headers: { 'content-type': 'text/csv' },
      payload,
    });
  const create = async (body: object): Promise<Note> =>
    (await send('POST', path, body)).json<Note>();
  const list = async (query: string) =>
    (await app.inject(`${path}?${query}`)).json<{ data: Note[]; next_cursor: string | null }>();
  const titlesOf = (page: { data: Note[] }) => page.data.map(({ title }) => title);

  it('creates, shows, changes and deletes an entry, and records each change', async () => {
    const made = await create({ title: 'Milk', pages: 3, labels: ['a', 'b'] });
    expect(made).toMatchObject({ title: 'Milk', priority: 'low', pages: 3, labels: ['a', 'b'] });
    const url = `${path}/${made.id}`;
    expect((await app.inject(url)).json()).toEqual(made);
    const changed = await send('PATCH', url, { title: 'Oat milk', labels: ['c'] });
    expect(changed.json()).toEqual({ ...made, title: 'Oat milk', labels: ['c'] });
    expect((await send('DELETE', url)).json()).toEqual({ deleted: true, id: made.id });
    expect(await app.inject(url)).toBeProblem(404, 'request.not_found');
    expect(recorded).toMatchObject([
      { action: 'note.created', target: { kind: 'note', id: made.id } },
      { action: 'note.updated', details: { changed: ['title', 'labels'] } },
      { action: 'note.deleted' },
    ]);
    expect(JSON.stringify(recorded)).not.toContain('ilk');
  });

  it('answers 404 for an unknown id, and changes and records nothing', async () => {
    const url = `${path}/${missing}`;
    for (const answer of [await send('PATCH', url, { title: 'x' }), await send('DELETE', url)])
      expect(answer).toBeProblem(404, 'request.not_found');
    expect(recorded).toEqual([]);
  });

  it('refuses a second entry with a unique value, also from requests at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send('POST', path, { title: 'One' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409, 409]);
    expect(titlesOf(await list(''))).toEqual(['One']);
    expect(recorded).toHaveLength(1);
  });

  it('keeps all members of entries created at once, even when they differ', async () => {
    const bodies = [{ title: 'a' }, { title: 'b', remark: 'kept' }, { title: 'c' }];
    await Promise.all(bodies.map(create));
    expect((await list('sort=title')).data).toMatchObject([
      { title: 'a', remark: 'none' },
      { title: 'b', remark: 'kept' },
      { title: 'c', remark: 'none' },
    ]);
  });

  it('pages through equal values without repeating or skipping an entry', async () => {
    const titles = Array.from({ length: 25 }, (_, at) => `Note ${String(at).padStart(2, '0')}`);
    await Promise.all(titles.map((title, at) => create({ title, pages: 1 + (at % 2) })));
    for (const sort of ['title', '-title', 'pages', '-created_at']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page = await list(`sort=${sort}&limit=4${cursor && `&cursor=${cursor}`}`);
        seen.push(...titlesOf(page));
        // A new row must not shift the others.
        if (seen.length === 8) await create({ title: `Late ${sort}`, pages: 1 });
        cursor = page.next_cursor;
      }
      expect(seen.filter((title) => title.startsWith('Note')).sort()).toEqual(titles);
      if (sort === 'title')
        expect(seen.filter((title) => title.startsWith('Note'))).toEqual(titles);
    }
  });

  it('filters and searches, treating wildcards as text', async () => {
    for (const title of ['50% off', '50 off', 'a_b', 'aXb'])
      await create({ title, priority: title.startsWith('a') ? 'high' : 'low' });
    expect(titlesOf(await list('q=50%25'))).toEqual(['50% off']);
    expect(titlesOf(await list('q=A_B'))).toEqual(['a_b']);
    expect(titlesOf(await list('priority=high&sort=title')).sort()).toEqual(['aXb', 'a_b']);
    expect(titlesOf(await list('is_public=true'))).toEqual([]);
  });

  it('refuses unknown filters, unknown orders and values out of range', async () => {
    for (const query of ['colour=red', 'sort=secret', 'limit=0', 'limit=101', 'priority=urgent'])
      expect((await app.inject(`${path}?${query}`)).statusCode).toBe(422);
  });

  it('refuses a cursor of another list, another order or with a changed byte', async () => {
    for (const title of ['a', 'b', 'c']) await create({ title });
    const { next_cursor: cursor } = await list('sort=title&limit=1');
    const forged = `${cursor?.slice(0, -1)}${cursor?.endsWith('A') ? 'B' : 'A'}`;
    for (const query of [
      `sort=-title&cursor=${cursor}`,
      `sort=title&priority=low&cursor=${cursor}`,
      `sort=title&cursor=${forged}`,
      'sort=title&cursor=x',
      `sort=title&cursor=${Buffer.from('["a","b"]').toString('base64url')}`,
    ])
      expect(await app.inject(`${path}?${query}`)).toBeProblem(400, 'request.cursor_invalid');
  });

  it('changes and deletes several entries, and reports each that it could not', async () => {
    const [a, b] = [await create({ title: 'a' }), await create({ title: 'b' })];
    const set = await send('POST', `${path}/bulk`, {
      ids: [a.id, b.id, b.id, missing],
      set: { priority: 'high' },
    });
    expect(set.json()).toEqual({
      succeeded: 2,
      failed: [
        { id: missing, code: 'request.not_found', detail: 'Nothing was found at this path.' },
      ],
    });
    const removed = await send('POST', `${path}/bulk`, { ids: [a.id], delete: true });
    expect(removed.json()).toEqual({ succeeded: 1, failed: [] });
    expect(await list('priority=high')).toMatchObject({ data: [{ id: b.id }] });
    const both = await send('POST', `${path}/bulk`, { ids: [b.id], delete: true, set: {} });
    expect(both.statusCode).toBe(422);
  });

  it('exports what it imports, without running formulas in a spreadsheet', async () => {
    await create({ title: '=1+1', pages: 2, labels: ['x', 'y'], is_public: true });
    const csv = (await app.inject(`${path}/export?sort=title`)).body;
    expect(csv).toMatch(/^id,title,priority,pages,labels,is_public,remark,created_at\r\n/);
    expect(csv).toContain(`'=1+1,low,2,x; y,true,none,`);
    const file = 'title,pages,labels,is_public\r\n' + "'=1+2,4,a;b,yes\r\nPlain,,,\r\n'=1+1,,,\r\n";
    expect((await importCsv(file)).json()).toMatchObject({
      succeeded: 2,
      failed: [{ line: 4, code: 'notes.title_taken' }],
    });
    expect((await list('sort=title')).data).toMatchObject([
      { title: '=1+1' },
      { title: '=1+2', pages: 4, labels: ['a', 'b'], is_public: true },
      { title: 'Plain', pages: 1, labels: [], is_public: false },
    ]);
  });

  it('imports files as spreadsheets of other languages write them', async () => {
    const file = '\uFEFFsep=;\r\n Title ;LABELS;;pages\r\nMüsli;"a;b";;2\r\n;;;\r\n';
    expect((await importCsv(file)).json()).toMatchObject({ succeeded: 1, failed: [] });
    expect((await list('')).data).toMatchObject([{ title: 'Müsli', labels: ['a', 'b'], pages: 2 }]);
  });

  it('imports nothing of a file with text that no store can keep', async () => {
    const file = 'title,remark\r\nGood,x\r\nBad,x\0y\r\n';
    expect(await importCsv(file)).toBeInvalid('body.3.remark');
    expect((await list('')).data).toEqual([]);
  });

  it('imports nothing of a file with an invalid row, and names the line', async () => {
    const file = 'title,pages\r\nGood,1\r\nBad,none\r\n';
    expect(await importCsv(file)).toBeInvalid('body.3.pages');
    expect((await list('')).data).toEqual([]);
  });
});
