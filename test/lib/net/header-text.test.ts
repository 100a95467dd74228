import { describe, expect, it } from 'vitest';
import { attachment, headerText } from '../../../src/lib/net/header-text.ts';

describe('the text of a header', () => {
  it.each([
    ['https://a.example/?a=%FC;b~#c', 'https://a.example/?a=%FC;b~#c'],
    ['/für?q=日本', '/f%C3%BCr?q=%E6%97%A5%E6%9C%AC'],
    ['/a\r\nset-cookie: x=1', '/a%0D%0Aset-cookie: x=1'],
    ['/👋\ud800\u0000', '/%F0%9F%91%8B%EF%BF%BD%00'],
  ])('is ASCII: %j', (text, ascii) => {
    expect(headerText(text)).toBe(ascii);
  });
});

describe('the name of a download', () => {
  it.each([
    ['codes.csv', 'attachment; filename="codes.csv"'],
    [
      'Tische für Gäste.csv',
      `attachment; filename="Tische fur Gaste.csv"; filename*=UTF-8''` +
        'Tische%20f%C3%BCr%20G%C3%A4ste.csv',
    ],
    ['日本.zip', `attachment; filename="__.zip"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.zip`],
    [
      `a"b'(1)*.pdf`,
      `attachment; filename="a_b'(1)*.pdf"; filename*=UTF-8''a%22b%27%281%29%2A.pdf`,
    ],
  ])('is ASCII, and said twice where it is not plain: %s', (name, header) => {
    expect(attachment(name)).toBe(header);
  });
});
