import { describe, expect, it } from 'vitest';
import ts from 'typescript';
import { readDocument } from '../../../src/surfaces/developer/reference/openapi-document.ts';
import type { JsonSchema, Media } from '../../../src/platform/openapi/document.ts';
import { completeExamples } from '../../../src/platform/openapi/examples.ts';
import { samplesOf } from '../../../src/surfaces/developer/reference/samples.ts';
import { membersOf, typeName } from '../../../src/surfaces/developer/reference/schema-fields.tsx';
import { markupOf } from '../../support/markup.ts';

const schemas = {
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
  schema.$ref === undefined ? schema : schemas.Tree;
const tree: JsonSchema = { $ref: '#/components/schemas/Tree' };

const membersText = (schema: JsonSchema): string =>
  markupOf(membersOf(schema, resolve) ?? expect.fail('It has no members.'));

describe('a schema', () => {
  it('that contains itself is cut off', () => {
    const sent: Media = { schema: { $ref: '#/components/schemas/Tree' } };
    const answer: Media = structuredClone(sent);
    const steps = completeExamples({
      paths: {
        '/trees': {
          post: {
            requestBody: { content: { 'application/json': sent } },
            responses: { 200: { description: 'It.', content: { 'application/json': answer } } },
          },
        },
      },
      components: { schemas },
    });
    Array.from(steps);
    expect(sent.example).toEqual({ name: 'name' });
    expect(JSON.stringify(answer.example).length).toBeLessThan(500);
    expect(membersText(tree).length).toBeLessThan(5000);
  });

  it.each<[schema: JsonSchema, name: string]>([
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: 'array', items: { type: 'string' } }, 'array of string'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer or null'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [tree, 'object'],
    [{}, 'any value'],
  ])('%j is called %s', (schema, name) => {
    expect(typeName(schema, resolve)).toBe(name);
  });

  it('escapes its names, descriptions and values', () => {
    const page = membersText({
      type: 'object',
      properties: { '<b>': { type: 'string', description: '<i> and `<code>`', enum: ['<u>'] } },
    });
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

  it('are valid TypeScript, whatever the body', () => {
    const [, typescript] = samplesOf(call);
    const { diagnostics = [] } = ts.transpileModule(typescript?.text ?? '', {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    expect(diagnostics).toEqual([]);
    expect(typescript?.text).toContain("name: 'O\\'Neil \"x\" \\\\ \\n'");
  });

  it('quote for the shell, and use literals of Python', () => {
    const [curl, , python] = samplesOf(call);
    expect(curl?.text).toContain("'https://svc.example/a?b='\\''c'\\'''");
    expect(curl?.text).toContain('-H "authorization: Bearer $TOKEN"');
    expect(python?.text).toContain('[1, None, True]');
    expect(python?.text).not.toMatch(/\bnull\b|\btrue\b/);
  });
});

it('operations with two paths are merged, with both names', () => {
  const operation = (operationId: string) => ({
    operationId,
    summary: 'Get the current user',
    tags: ['auth'],
    responses: { 400: { $ref: '#/components/responses/Bad', description: '' } },
  });
  const { tags } = readDocument({
    paths: {
      '/auth/me': { get: { ...operation('short.me'), 'x-alias-of': 'auth.me' } },
      '/api/auth/me': { get: operation('auth.me') },
    },
    components: { schemas: {}, responses: { Bad: { description: 'Bad.' } } },
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
