import { expect } from 'vitest';

// What tests compare responses with: `expect(response).toMatchObject(redirectTo('/login'))`.

export const redirectTo = (location: unknown) => ({ status: 303, headers: { location } });

/** A response with this status whose text contains `part`. */
export const saying = (status: number, part: string) => ({
  status,
  text: expect.stringContaining(part) as string,
});

/** The headers of a form that a page of another site submits. */
export const fromElsewhere = {
  origin: 'https://evil.example',
  'sec-fetch-site': 'cross-site',
};
