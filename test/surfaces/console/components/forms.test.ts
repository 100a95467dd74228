import { expect, it } from 'vitest';
import { markupOf } from '../../../support/markup.ts';
import { confirmForm } from '../../../../src/surfaces/console/components/forms.tsx';

it('accepts the word to type in browsers, whatever characters it has', () => {
  for (const word of ['ada@example.com', '🎯 Ziel', 'a.b*c', 'Größe', '👩‍💻']) {
    const form = markupOf(
      confirmForm({
        id: 'x',
        action: '/x',
        open: 'Open',
        word,
        warning: 'For good.',
        button: 'Do it',
      }),
    );
    // As browsers match patterns (HTML §4.10.5.3.6).
    const pattern = new RegExp(`^(?:${/ pattern="([^"]*)"/.exec(form)?.[1] ?? '-'})$`, 'v');
    expect([word, pattern.test(word), pattern.test(`${word}x`)]).toEqual([word, true, false]);
  }
});
