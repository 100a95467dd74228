import { describe, expect, it } from 'vitest';
import { trusted } from '../../../src/lib/text/html.ts';
import { rich } from '../../../src/lib/text/rich.ts';

const tags = {
  link: (inner: string) => trusted(`<a href="/guide">${inner}</a>`),
  code: (inner: string) => trusted(`<code>${inner}</code>`),
};

describe('a message with marks', () => {
  it('has markup for each', () => {
    expect(rich('Read the <link>guide</link>, then run <code>npm test</code>.', tags)).toBe(
      'Read the <a href="/guide">guide</a>, then run <code>npm test</code>.',
    );
    expect(rich('<link>One</link><link>Two</link>', tags)).toBe(
      '<a href="/guide">One</a><a href="/guide">Two</a>',
    );
    expect(rich('Remove <name></name>?', { name: () => trusted('<b>A &amp; B</b>') })).toBe(
      'Remove <b>A &amp; B</b>?',
    );
  });

  it('is escaped outside and inside of them', () => {
    expect(rich('a & b <link>c < "d"</link> e > f', tags)).toBe(
      'a &amp; b <a href="/guide">c &lt; &quot;d&quot;</a> e &gt; f',
    );
    expect(rich('no marks & no markup', {})).toBe('no marks &amp; no markup');
    expect(rich('<img src=x onerror=alert(1)>', tags)).not.toContain('<img');
    expect(rich('', tags)).toBe('');
  });

  it('is refused with a mark that is unknown, open, or within another', () => {
    expect(() => rich('<b>bold</b>', tags)).toThrow('<b>');
    expect(() => rich('<constructor>x</constructor>', tags)).toThrow('<constructor>');
    expect(() => rich('<link>guide', tags)).toThrow('<link>');
    expect(() => rich('guide</link>', tags)).toThrow('</link>');
    expect(() => rich('<link>a</code>', tags)).toThrow('<link>');
    expect(() => rich('<link>a <code>b</code></link>', tags)).toThrow('<link>');
  });
});
