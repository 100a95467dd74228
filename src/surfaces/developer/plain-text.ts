import { html, type Html } from '../../lib/text/html.ts';

/** Formats a description from the code: text between backticks becomes code. */
export function formatted(text: string): Html {
  return html`${text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`;
}

/** Formats a description of several paragraphs and fenced code blocks. */
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
