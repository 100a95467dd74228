import { expect, test } from 'vitest';
import { mediaTypeFor } from '../../../src/areas/health/media-type.ts';

test.each([
  ['application/health+json'],
  ['Application/Health+JSON'],
  ['text/html, application/health+json;q=0.3'],
  ['application/health+json, application/json'],
  ['application/json;q=0.5, application/health+json;q=0.9'],
  ['application/health+json;version=1'],
])('Accept: %s gets the media type of the draft', (accept) => {
  expect(mediaTypeFor(accept)).toBe('application/health+json');
});

test.each([
  [undefined],
  [''],
  ['*/*'],
  ['application/*'],
  ['application/json'],
  ['application/health+json;q=0'],
  ['application/json, application/health+json;q=0.5'],
  ['application/health+jsonp'],
  ['text/html;profile="application/health+json"'],
])('Accept: %s gets application/json', (accept) => {
  expect(mediaTypeFor(accept)).toBe('application/json');
});
