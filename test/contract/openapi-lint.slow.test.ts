import { describe, expect, it } from 'vitest';
import { type OpenApiDocument, operationsOf } from '../../src/platform/openapi/document.ts';
import { freshApp } from '../support/app.ts';
import { lintBySpectral, lintOpenApi } from '../support/openapi.ts';

const app = await freshApp({ env: { BASE_URL: 'https://platform.example' } });
const document = (await app.http.inject('/api/openapi.json')).json<OpenApiDocument>();

describe('the OpenAPI document of the whole service', () => {
  it.each([
    ['Redocly, recommended rules', lintOpenApi],
    ['Spectral, OpenAPI and OWASP rules', lintBySpectral],
  ])(
    'has no findings: %s',
    async (name, lint) => {
      const found = await lint(document);
      process.stdout.write(
        `${name}: ${found.length} findings in ${operationsOf(document).length} operations\n`,
      );
      expect(found).toEqual([]);
    },
    180_000,
  );
});
