import { escapeHtml, type Html } from '../../../lib/text/html.ts';

/** The colour of a state, which is always given in words too. */
export type Tone = 'neutral' | 'info' | 'ok' | 'warn' | 'bad';

/** A state in a word: `Active`, with a dot in its colour. */
export const Badge = ({ text, tone = 'neutral' }: { text: string; tone?: Tone }): Html => (
  <span class={`tag tag-${tone}`}>{escapeHtml(text)}</span>
);
