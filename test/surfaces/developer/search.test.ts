import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { createLibrary, type GuideLibrary } from '../../../src/surfaces/developer/guide-library.ts';
import { search, type SearchIndex } from '../../../src/web/developer/search.ts';

const file = new URL('../../../dist/guides.json', import.meta.url);
const open = (baseUrl = 'https://svc.example'): Promise<GuideLibrary> =>
  createLibrary({ file, baseUrl });
const placeOf = ({ slug, heading }: { slug: string; heading: { id: string } | undefined }) =>
  `/developer/guides/${slug}${heading === undefined ? '' : `#${heading.id}`}`;

it.each<[query: string, first: RegExp]>([
  ['refresh token', /^\/developer\/guides\/sign-in/],
  ['otp.invalid', /one-time-codes#verify-the-code$/],
  ['risk rules', /device-security#risk-rules$/],
  ['passkeys', /second-factor#passkeys$/],
  ['how do I export events', /analytics#export-events$|import-and-export/],
  ['STRIPE webhook', /payment-webhooks/],
  ['otp.locked', /one-time-codes#limits$/],
  ['otp.closed', /one-time-codes#limits$/],
  ['auth.step_up_required', /graphql|mcp|account|second-factor|device-security/],
  ['totp.passkeys', /second-factor/],
  ['OTP_DAILY_LIMIT', /one-time-codes#limits$/],
  ['rate limits', /errors-and-limits#rate-limits-and-quotas$/],
])('%s is found in the right section', async (query, first) => {
  const library = await open();
  expect(placeOf(library.search(query, 5)[0] ?? { slug: '', heading: undefined })).toMatch(first);
});

it('the browser finds the same as the server, in the same order', async () => {
  const library = await open();
  const index = JSON.parse(library.index()) as SearchIndex;
  const phrases = ['wrong code', 'a b c', 'webhook signature', 'device cleared admin'];
  for (const query of [...phrases, 'code', 'svc_session', 'limits', 'x'.repeat(500), '%', ''])
    expect(search(index, query, 20).map(({ href }) => href)).toEqual(
      library.search(query, 20).map(placeOf),
    );
});

it('finds nothing for unknown words, at most the limit, with matching excerpts', async () => {
  const library = await open();
  for (const unknown of ['zzzqqq', '  ', '<>']) expect(library.search(unknown, 5)).toEqual([]);
  expect(library.search('code', 3)).toHaveLength(3);
  expect(library.search('fingerprint', 1)[0]?.excerpt.toLowerCase()).toContain('fingerprint');
});

it('the index is at most 30 KB gzipped', async () => {
  expect(gzipSync((await open()).index(), { level: 9 }).length).toBeLessThanOrEqual(30 * 1024);
});

it('examples use the URL of this server, for sockets too', async () => {
  const library = await open('https://a.example/x?y&z');
  const guides = library.guides();
  const markdown = guides.map((guide) => guide.markdown).join('');
  const html = guides.map((guide) => guide.html).join('');
  expect(markdown + html).not.toContain('127.0.0.1:3000');
  expect(markdown).toContain('wss://a.example/x?y&z');
  expect(html).toContain('https://a.example/x?y&amp;z/api/');
});

it('fails with a hint when the guides are not built', async () => {
  await expect(createLibrary({ file: new URL('./no.json', file), baseUrl: '' })).rejects.toThrow(
    'run npm run build',
  );
  expect((await readFile(file, 'utf8')).length).toBeGreaterThan(1000);
});
