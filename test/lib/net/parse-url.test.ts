import { expect, it } from 'vitest';
import { parseUrl } from '../../../src/lib/net/parse-url.ts';

it('reads a URL with an umlaut after tens of thousands of others, too', () => {
  let refused = 0;
  for (let at = 0; at < 20_000; at += 1)
    if (parseUrl('https://müller.example/') === undefined) refused += 1;
  expect(refused).toBe(0);
});

it('parses a URL relative to a base, and rejects an invalid one', () => {
  expect(parseUrl('/ä', 'https://a.example')?.href).toBe('https://a.example/%C3%A4');
  expect(parseUrl('/ä')).toBeUndefined();
  expect(parseUrl('https://')).toBeUndefined();
});
