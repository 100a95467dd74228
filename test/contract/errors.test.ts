import { describe, expect, test } from 'vitest';
// Importer it registers the error tables of all areas.
import '../../src/app/app.ts';
import { toProblem } from '../../src/platform/http/error-handler.ts';
import { ProblemSchema } from '../../src/platform/http/error-schemas.ts';
import { AppError, errorCatalogue } from '../../src/platform/errors/errors.ts';

describe('every error in the catalogue', () => {
  test('has a unique code, an error status and a sentence', () => {
    const catalogue = errorCatalogue();
    expect(catalogue.length).toBeGreaterThan(5);
    expect(new Set(catalogue.map(({ code }) => code)).size).toBe(catalogue.length);
    for (const { code, status, detail } of catalogue) {
      expect(code).toMatch(/^[a-z][a-z0-9_]*\.[a-z][a-z0-9_]*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(detail).toMatch(/^(?:[A-Z]|`\w+` )/);
    }
  });

  test.each(errorCatalogue())(
    '$code becomes a problem document with the headers of its status',
    ({ code, status, detail }) => {
      const { problem, headers } = toProblem(
        new AppError(status, code, detail, { cause: new Error('private') }),
        'request-1',
      );
      expect(ProblemSchema.parse(problem)).toMatchObject({
        status,
        code,
        detail,
        request_id: 'request-1',
      });
      expect(problem.title).not.toBe('Error');
      expect(JSON.stringify(problem)).not.toContain('private');
      if (status === 401) expect(headers['www-authenticate']).toMatch(/^Bearer /);
      if (status === 429 || status === 503)
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    },
  );
});
