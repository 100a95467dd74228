import type { FastifyInstance } from 'fastify';
import { graphql, printSchema } from 'graphql/index.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../src/lib/clock.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { registerOperations } from '../../../src/platform/operations/register.ts';
import { resourceOperations } from '../../../src/platform/resource/operations.ts';
import { bindResource, defineResource } from '../../../src/platform/resource/resource.ts';
import { createTableService, viewFromRow } from '../../../src/platform/resource/table-service.ts';
import { createGraphqlSchema } from '../../../src/surfaces/graphql/schema/schema.ts';
import { toNodeId } from '../../../src/surfaces/graphql/schema/node-ids.ts';
import { createTestHttp } from '../../support/http.ts';
import { openScopes } from '../../support/open-scopes.ts';
import { availableEngines, openTestDatabase } from '../database/engines.ts';

const slug = z.string().regex(/^[a-z-]+$/);
const ChapterView = z
  .object({ id: slug, title: z.string(), created_at: z.iso.datetime() })
  .meta({ id: 'Chapter', description: 'A chapter.' });

/** Chapters of a book: with a parent, an id of their own, a total, and a key shown once. */
const chapters = defineResource({
  name: 'chapters',
  type: 'Chapter',
  path: '/api/v1/books/:book_id/chapters',
  tag: 'books',
  scope: 'admin',
  view: ChapterView,
  id: slug,
  parents: z.object({ book_id: z.string().max(20) }),
  created: ChapterView.extend({ key: z.string() }).meta({ id: 'CreatedChapter' }),
  hasTotal: true,
  create: z.strictObject({ id: slug, title: z.string().min(1) }),
  update: z.strictObject({ title: z.string().min(1) }).partial(),
  sorts: ['title'],
  notFound: 'request.not_found',
  texts: {
    one: 'a chapter',
    many: 'chapters',
    description: 'Parts of a book.',
    fields: { id: 'Id', title: 'Title', created_at: 'Created' },
    none: 'No chapters yet.',
  },
});

function composeChapters(db: Database) {
  const service = createTableService(chapters, {
    db,
    clock: systemClock,
    keys: () => Buffer.alloc(32, 7),
    audit: { recordIn: () => Promise.resolve() },
    // The tables of tests are unknown to the types of the product.
    table: 'chapters' as never,
    kind: 'chapter',
    actions: {},
    toView: (row) => ChapterView.parse(viewFromRow(chapters, row)),
  });
  return bindResource(chapters, {
    ...service,
    create: async (values, by, parents) => ({
      ...(await service.create(values, by, parents)),
      key: 'shown-once',
    }),
  });
}

describe('a resource', () => {
  it('is refused at the start when nothing defines the error for an unknown id', () => {
    const misspelled = { ...chapters, notFound: 'request.not_fuond' };
    const read = { list: vi.fn(), get: vi.fn() };
    expect(() => bindResource(misspelled, read)).toThrow('request.not_fuond');
  });
});

describe.each(availableEngines)('on $name, a resource', (engine) => {
  let app: FastifyInstance;
  let bound: ReturnType<typeof composeChapters>;
  let close: () => Promise<void>;
  const path = (book: string) => `/api/v1/books/${book}/chapters`;
  const add = async (book: string, id: string) =>
    app.inject({ method: 'POST', url: path(book), payload: { id, title: `The ${id}` } });

  beforeAll(async () => {
    const { db, close: closeDatabase } = await openTestDatabase(engine);
    close = closeDatabase;
    await sql`create table chapters (id text, book_id text, title text not null,
      created_at timestamptz, updated_at timestamptz, primary key (book_id, id))`.execute(db);
    ({ app } = createTestHttp({ RATE_LIMIT: 'off' }));
    bound = composeChapters(db);
    const context = { scopes: openScopes(), clock: systemClock };
    registerOperations(app, context, resourceOperations(bound));
    await app.ready();
    for (const id of ['end', 'middle', 'start']) await add('emma', id);
    await add('persuasion', 'start');
  });
  afterAll(async () => {
    await app.close();
    await close();
  });

  it('can lie below a parent, whose entries no other parent shows or changes', async () => {
    const elsewhere = { method: 'PATCH' as const, url: `${path('persuasion')}/end` };
    expect(await app.inject({ ...elsewhere, payload: { title: 'Mine' } })).toBeProblem(
      404,
      'request.not_found',
    );
    expect(await app.inject({ method: 'DELETE', url: `${path('persuasion')}/end` })).toBeProblem(
      404,
      'request.not_found',
    );
    const own = await app.inject(`${path('emma')}/end`);
    expect(own.json()).toMatchObject({ id: 'end', title: 'The end' });
    const other = await app.inject(path('persuasion'));
    expect(other.json()).toMatchObject({ data: [{ id: 'start' }], total: 1 });
  });

  it('can say how many entries there are on all pages', async () => {
    const page = await app.inject(`${path('emma')}?limit=2`);
    expect(page.json()).toMatchObject({ data: [{ id: 'end' }, { id: 'middle' }], total: 3 });
  });

  it('can have ids that are not UUIDs, and refuses others', async () => {
    expect(await app.inject(`${path('emma')}/NOT_ONE`)).toBeInvalid('path.id');
  });

  it('can show more once, when an entry is created', async () => {
    const created = await add('emma', 'epilogue');
    expect(created.json()).toMatchObject({ id: 'epilogue', key: 'shown-once' });
    const { payload } = await app.inject(path('emma'));
    expect(payload).not.toContain('shown-once');
    const removed = await app.inject({ method: 'DELETE', url: `${path('emma')}/epilogue` });
    expect(removed.json()).toEqual({ deleted: true, id: 'epilogue' });
  });

  it('does all of that by GraphQL, too', async () => {
    const schema = createGraphqlSchema([bound], []);
    expect(printSchema(schema)).toContain('key: String!');
    const requester = { key: 'test', kind: 'member', signal: new AbortController().signal };
    const contextValue = {
      access: () => ({ admin: () => Promise.resolve({ kind: 'api_key', id: 'k', scopes: [] }) }),
      requester: () => requester,
      requestSource: () => ({ address: '127.0.0.1', requestId: 'r' }),
    };
    const ask = (source: string) => graphql({ schema, source, contextValue });
    const created = await ask(`mutation { createChapter(bookId: "emma",
      input: { id: "preface", title: "Preface" }) { key chapter { title } } }`);
    expect(created.data).toMatchObject({
      createChapter: { key: 'shown-once', chapter: { title: 'Preface' } },
    });
    const listed = await ask(`{ chapters(bookId: "emma") { totalCount nodes { title } }
      chapter(bookId: "persuasion", id: "${toNodeId('Chapter', 'preface')}") { title } }`);
    expect(listed.data).toMatchObject({ chapters: { totalCount: 4 }, chapter: null });
    const deleted = await ask(`mutation { deleteChapter(bookId: "emma",
      id: "${toNodeId('Chapter', 'preface')}") { deletedId } }`);
    expect(deleted.errors).toBeUndefined();
  });
});
