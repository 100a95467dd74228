import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { Tone } from '../../../platform/ui/components/badge.tsx';

/** What holds now: a sentence with a dot in its colour. */
export interface StateLine {
  tone: Tone;
  text: string;
  /** Where it is changed, or more is said. */
  link?: { href: string; text: string };
}

/** What holds now, in sentences, before the settings that make it so. */
export const StateLines = ({ lines }: { lines: readonly StateLine[] }): Html => (
  <ul class="state-lines">
    {lines.map(({ tone, text, link }) => (
      <li class={`state-${tone}`}>
        {escapeHtml(text)}
        {link !== undefined && (
          <>
            {' '}
            <a href={link.href}>{escapeHtml(link.text)}</a>
          </>
        )}
      </li>
    ))}
  </ul>
);
