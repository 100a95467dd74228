import { describe, expect, it } from 'vitest';
import { normalUrl } from '../../../src/lib/net/public-url.ts';
import { readableUrl } from '../../../src/lib/net/readable-url.ts';

describe('a URL for people', () => {
  it.each(['https://müller.example/für?q=日本#größe', 'https://例え.example:8080/👋'])(
    'is in its own letters: %s',
    (text) => {
      expect(readableUrl(normalUrl(text) ?? '')).toBe(text);
    },
  );

  it.each([
    'https://a.example/a%20b%2Fc%3Fd',
    'https://a.example/?q=M%FCller',
    'https://a.example/%E2%80%AEgnp.exe',
    'https://a.example/%C2%A0',
    'https://xn--ypal-43d9g.example/',
    'no URL at all: %C3%BC',
  ])('keeps what would be unclear: %s', (url) => {
    expect(readableUrl(url)).toBe(url);
  });
});
