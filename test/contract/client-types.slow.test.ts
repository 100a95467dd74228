import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { freshApp } from '../support/app.ts';
import { fromRoot, run, withFile } from '../support/openapi.ts';

const app = await freshApp();
const document: unknown = (await app.http.inject('/api/openapi.client.json')).json();

/** What a client does: the first example of the guide, and telling responses apart. */
const client = `
import type { components, paths } from './types.ts';

type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer Sent } } };
} ? Sent : never;

export const code: Body<'/api/v1/qr-codes'> = {
  name: 'Spring poster',
  url: 'https://example.com/spring',
  code: 'spring',
  utm_campaign: 'spring',
};
// @ts-expect-error a name is required
export const unnamed: Body<'/api/v1/qr-codes'> = { url: 'https://example.com/spring' };

type TokenResponse = components['schemas']['TokenResponse'];
export function next(response: TokenResponse): string {
  switch (response.status) {
    case 'authenticated': return response.access_token;
    case 'mfa_required': return response.mfa_token;
    case 'otp_required': return response.verification_id;
  }
}
// @ts-expect-error there may be no token
export const token = (response: TokenResponse): string => response.access_token;

type Refused<Path extends keyof paths, Status extends number> = paths[Path] extends {
  post: { responses: infer Responses };
} ? Status extends keyof Responses
  ? Responses[Status] extends { content: infer Content } ? Content[keyof Content] : never
  : never : never;
export const codeOf = (error: Refused<'/api/v1/qr-codes', 401>): string => error.code;
type Invalid = Refused<'/api/v1/qr-codes', 422>;
export const invalid = (error: Invalid) => [error.code, error.detail?.[0]?.loc];
`;

it('gives openapi-typescript types under 1 MB that guide examples compile with', async () => {
  await withFile(document, async (dir) => {
    await run(
      fromRoot('node_modules/.bin/openapi-typescript'),
      ['openapi.json', '-o', 'types.ts'],
      dir,
    );
    await writeFile(join(dir, 'client.ts'), client);
    const tsc = fromRoot('node_modules/typescript-native/bin/tsc');
    const flags = '--strict --noEmit --target es2022 --module esnext --moduleResolution bundler';
    const options = [...flags.split(' '), '--allowImportingTsExtensions', '--types', ''];
    expect(await run(process.execPath, [tsc, ...options, 'client.ts'], dir)).toBe('');
    const { length } = await readFile(join(dir, 'types.ts'));
    process.stdout.write(`types: ${length} bytes\n`);
    expect(length).toBeGreaterThan(100_000);
    expect(length).toBeLessThan(1_000_000);
  });
}, 60_000);

it('has no pages, aliases or development conveniences, and every reference resolves', () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/"x-(?:alias-of|page)"/);
  expect(text).not.toContain('"/auth/');
  expect(text).not.toContain('"/dev/');
  const { components } = document as { components: Record<string, Record<string, object>> };
  const references = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
  const missing = references.filter(([, kind = '', name = '']) => !components[kind]?.[name]);
  expect(missing.map(([found]) => found)).toEqual([]);
  expect(references.length).toBeGreaterThan(1000);
});
