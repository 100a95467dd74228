import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { routeTable } from '../../../src/platform/http/scopes.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { operationsOf } from '../../../src/platform/operations/operation.ts';
import { registerOperations } from '../../../src/platform/operations/register.ts';
import { createTestHttp } from '../../support/http.ts';
import { openScopes } from '../../support/open-scopes.ts';

interface Shelf {
  books: string[];
}

const operation = operationsOf<Shelf>({ scope: 'identified', tag: 'books' });

const bookOperations = [
  operation({
    id: 'books.list',
    path: 'GET /books',
    summary: 'List books',
    query: z.object({ limit: z.coerce.number().default(10) }),
    output: z.object({ data: z.array(z.string()) }),
    run: ({ books }, { limit }) => ({ data: books.slice(0, limit) }),
  }),
  operation({
    id: 'books.create',
    path: 'POST /books/:shelf',
    summary: 'Add a book',
    status: 201,
    params: z.object({ shelf: z.string() }),
    query: z.object({ at: z.string() }),
    body: z.looseObject({ title: z.string() }),
    output: z.object({ shelf: z.string(), at: z.string(), title: z.string(), by: z.string() }),
    run({ books }, input, { by }) {
      books.push(input.title);
      return { ...input, by: by.actor.kind };
    },
  }),
  operation({
    id: 'books.delete',
    path: 'DELETE /books/:title',
    scope: 'admin',
    needsFreshSignIn: true,
    summary: 'Remove a book',
    status: 204,
    params: z.object({ title: z.string() }),
    run({ books }, { title }) {
      books.splice(books.indexOf(title), 1);
    },
  }),
];

describe('an operation', () => {
  let app: FastifyInstance;
  const shelf: Shelf = { books: [] };
  let isFresh = true;

  beforeAll(async () => {
    ({ app } = createTestHttp({ RATE_LIMIT: 'off' }));
    const scopes = openScopes((request) => {
      const authTime = isFresh ? systemClock.now() : 0;
      Object.assign(request, { principal: { kind: 'user', id: 'ada', authTime } });
    });
    registerOperations(app, { ...shelf, scopes, clock: systemClock }, bookOperations);
    await app.ready();
  });
  afterAll(() => app.close());

  it('gets path, query and body as one object, and answers with its status', async () => {
    const response = await app.inject({
      method: 'POST',
      url: '/books/novels?at=front',
      payload: { title: 'Emma' },
    });
    expect(response.statusCode).toBe(201);
    expect(response.json()).toEqual({
      shelf: 'novels',
      at: 'front',
      title: 'Emma',
      by: 'anonymous',
    });
    expect(response.headers['cache-control']).toBe('no-store');
    expect((await app.inject('/books')).json()).toEqual({ data: ['Emma'] });
  });

  it('takes a path parameter from the path, whatever the body names', async () => {
    const payload = { title: 'Emma', shelf: 'poems', at: 'back' };
    const response = await app.inject({ method: 'POST', url: '/books/novels?at=front', payload });
    expect(response.json()).toMatchObject({ shelf: 'novels', at: 'front' });
    shelf.books.pop();
  });

  it("of a scope without API keys can't ask for a fresh sign-in by a flag", () => {
    const context = { ...shelf, scopes: openScopes(), clock: systemClock };
    const [first] = bookOperations;
    if (first === undefined) throw new Error('there is no operation');
    const asked = { ...first, needsFreshSignIn: true };
    expect(() => registerOperations(createTestHttp().app, context, [asked])).toThrow('fresh');
  });

  it('never runs with input that does not fit its schemas', async () => {
    const before = [...shelf.books];
    const wrong = await app.inject({ method: 'POST', url: '/books/novels?at=x', payload: {} });
    expect(wrong).toBeInvalid('body.title');
    expect(await app.inject('/books?limit=many')).toBeInvalid('query.limit');
    expect(shelf.books).toEqual(before);
  });

  it('that needs a fresh sign-in refuses an old one, and changes nothing', async () => {
    shelf.books.push('Persuasion');
    isFresh = false;
    const url = '/books/Persuasion';
    expect(await app.inject({ method: 'DELETE', url })).toBeProblem(401, 'auth.step_up_required');
    expect(shelf.books).toContain('Persuasion');
    isFresh = true;
    const response = await app.inject({ method: 'DELETE', url });
    expect(response).toMatchObject({ statusCode: 204, body: '' });
    expect(shelf.books).not.toContain('Persuasion');
  });

  it('is a row of the route table, in the order of its list', () => {
    expect(routeTable(app)).toMatchObject([
      { method: 'GET', url: '/books', operationId: 'books.list', scope: 'public' },
      { method: 'POST', url: '/books/:shelf', operationId: 'books.create', tags: ['books'] },
      { method: 'DELETE', url: '/books/:title', scope: 'admin, approved device' },
    ]);
  });
});
