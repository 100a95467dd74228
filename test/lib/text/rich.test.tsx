import { expect, it } from 'vitest';
import type { Html } from '../../../src/lib/text/html.ts';
import { rich } from '../../../src/lib/text/rich.ts';

const tags = {
  link: (inner: Html) => <a href="/x">{inner}</a>,
  code: (inner: Html) => <code>{inner}</code>,
};

it('renders marks, also within each other, and escapes all text', () => {
  expect(rich('A & <link>B < <code>"c"</code></link>, <code>d</code>.', tags)).toBe(
    'A &amp; <a href="/x">B &lt; <code>&quot;c&quot;</code></a>, <code>d</code>.',
  );
  expect(rich('2 < 3 > 1', tags)).toBe('2 &lt; 3 &gt; 1');
});

it.each(['<other>x</other>', '<toString>x</toString>', '<link>x', 'x</link>', '<link>x</code>'])(
  '%s is an error',
  (message) => {
    expect(() => rich(message, tags)).toThrow('The mark');
  },
);
