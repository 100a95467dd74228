import { expect, it } from 'vitest';
import { WordForm } from '../../../../src/surfaces/console/components/console-form.tsx';

it('accepts the word to type in browsers, whatever characters it has', () => {
  for (const word of ['ada@example.com', '🎯 Ziel', 'a.b*c', 'Größe', '👩‍💻']) {
    const form = <WordForm id="x" action="/x" word={word} warning="For good." submit="Do it" />;
    // As browsers match patterns (HTML §4.10.5.3.6).
    const pattern = new RegExp(`^(?:${/ pattern="([^"]*)"/.exec(form)?.[1] ?? '-'})$`, 'v');
    expect({ word, own: pattern.test(word), longer: pattern.test(`${word}x`) }).toEqual({
      word,
      own: true,
      longer: false,
    });
  }
});
