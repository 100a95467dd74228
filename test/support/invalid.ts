import { expect } from 'vitest';

/** The body of a 422: these entries, with the members that all errors have, and no others. */
export const invalidBody = (detail: readonly object[], code = 'request.validation'): object => ({
  detail,
  code,
  request_id: expect.any(String) as string,
});

/** The body of a 422 as text, without the members that all errors have. */
export const detailTextOf = ({ body }: { body: string }): string =>
  body.replace(/,"code":"request\.validation","request_id":"[\w-]+"\}$/, '');
