import { describe, expect, it } from 'vitest';
import { at, resolved } from '../../src/web/reference/resolve.ts';

const document = {
  paths: { '/a': { get: { schema: { $ref: '#/components/schemas/Tree' } } } },
  components: {
    schemas: {
      'x/y': { type: 'string' },
      Tree: {
        type: 'object',
        properties: {
          name: { $ref: '#/components/schemas/x~1y', description: 'Its name.' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
    },
  },
};

describe('a part of an OpenAPI document', () => {
  it('is found by its path', () => {
    expect(at(document, ['components', 'schemas', 'x/y'])).toEqual({ type: 'string' });
    expect(at(document, ['components', 'nothing', 'more'])).toBeUndefined();
  });

  it('gets what its references mean, except those to what they are within', () => {
    const operation = at(document, ['paths', '/a', 'get']);
    expect(resolved(operation, document)).toEqual({
      schema: {
        type: 'object',
        properties: {
          name: { type: 'string', description: 'Its name.' },
          children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
        },
      },
    });
  });
});
