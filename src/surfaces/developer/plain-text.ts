import { html, type Html } from '../../lib/text/html.ts';

/** A line of the code's documentation: what stands between backticks is code, the rest is text. */
export function formatted(text: string): Html {
  return html`${text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** Paragraphs of the code's documentation, and its fenced blocks. */
export function paragraphs(text: string): Html {
  const parts = text.split(/^```\w*\n([^]*?)\n```$/m);
  const prose = (part: string) =>
    part
      .split(/\n{2,}/)
      .map((each) => each.trim())
      .filter((each) => each !== '')
      .map((each) => html`<p>${formatted(each)}</p>\n`);
  return html`${parts.map((part, at) =>
    at % 2 === 1 ? html`<pre tabindex="0"><code>${part}</code></pre>\n` : html`${prose(part)}`,
  )}`;
}
