import { describe, expect, it } from 'vitest';
import ts from 'typescript';
import { type JsonSchema, readDocument } from '../../../src/surfaces/developer/openapi-document.ts';
import { samplesOf } from '../../../src/surfaces/developer/samples.ts';
import { exampleOf } from '../../../src/surfaces/developer/schema-examples.ts';
import { membersOf, typeName } from '../../../src/surfaces/developer/schema-fields.ts';
import { htmlText } from '../../../src/lib/text/html.ts';

const schemas: Record<string, JsonSchema> = {
  Tree: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      inside: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
    required: ['name'],
  },
};
const resolve = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
const tree: JsonSchema = { $ref: '#/components/schemas/Tree' };

describe('a schema', () => {
  it('that contains itself ends', () => {
    expect(exampleOf(tree, resolve, 'required')).toEqual({ name: 'Example' });
    expect(JSON.stringify(exampleOf(tree, resolve, 'all')).length).toBeLessThan(500);
    expect(
      htmlText(
        membersOf(tree, resolve) ??
          (() => {
            throw new Error('nothing');
          })(),
      ).length,
    ).toBeLessThan(5000);
  });

  it.each<[schema: JsonSchema, name: string]>([
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: 'array', items: { type: 'string' } }, 'list of string'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [tree, 'object'],
    [{}, 'any value'],
  ])('%j is called %s', (schema, name) => {
    expect(typeName(schema, resolve)).toBe(name);
  });

  it('shows what it was given as text', () => {
    const page = htmlText(
      membersOf(
        {
          type: 'object',
          properties: { '<b>': { type: 'string', description: '<i> and `<code>`', enum: ['<u>'] } },
        },
        resolve,
      ) ??
        (() => {
          throw new Error('nothing');
        })(),
    );
    expect(page).toContain('&lt;b&gt;');
    expect(page).not.toMatch(/<b>|<i>|<u>/);
  });
});

describe('samples', () => {
  const call = {
    method: 'POST',
    url: "https://svc.example/a?b='c'",
    needsToken: true,
    body: {
      type: 'application/json',
      value: { name: 'O\'Neil "x" \\ \n', list: [1, null, true], inside: { 'a-b': [] } },
    },
    isJson: true,
  };

  it('are sound TypeScript, whatever is sent', () => {
    const [, typescript] = samplesOf(call);
    const { diagnostics = [] } = ts.transpileModule(typescript?.text ?? '', {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    expect(diagnostics).toEqual([]);
    expect(typescript?.text).toContain("name: 'O\\'Neil \"x\" \\\\ \\n'");
  });

  it('keep quotes of the shell, and write the literals of Python', () => {
    const [curl, , python] = samplesOf(call);
    expect(curl?.text).toContain("'https://svc.example/a?b='\\''c'\\'''");
    expect(curl?.text).toContain('-H "authorization: Bearer $TOKEN"');
    expect(python?.text).toContain('[1, None, True]');
    expect(python?.text).not.toMatch(/\bnull\b|\btrue\b/);
  });
});

it('operations that are the same under two paths are one, with both names', async () => {
  const operation = (operationId: string) => ({
    operationId,
    summary: 'Who am I',
    tags: ['auth'],
    responses: { 400: { $ref: '#/components/responses/Bad' } },
  });
  const { tags } = await readDocument({
    paths: {
      '/auth/me': { get: operation('short.me') },
      '/api/auth/me': { get: operation('auth.me') },
    },
    components: { responses: { Bad: { description: 'Bad.' } } },
  });
  expect(tags).toMatchObject([
    {
      name: 'auth',
      operations: [
        {
          operationId: 'auth.me',
          path: '/api/auth/me',
          others: [{ id: 'short.me', path: '/auth/me' }],
          responses: { 400: { description: 'Bad.' } },
        },
      ],
    },
  ]);
});
