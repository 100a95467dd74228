import { escapeHtml, type Html } from '../../../lib/text/html.ts';

export interface CodeBlockOptions {
  /** Such as its language. The script of the page puts the copy button beside it. */
  caption?: string;
  code: string;
  /** Becomes the class that highlighters and programs know: `language-sh`. */
  language?: string;
}

/** A sample of code. It wraps; scripts/guides/markdown.mjs writes the same for guides. */
export const CodeBlock = ({ caption, code, language }: CodeBlockOptions): Html => (
  <figure class="snippet">
    {caption !== undefined && <figcaption>{escapeHtml(caption)}</figcaption>}
    <pre tabindex="0">
      <code class={language && `language-${language}`}>{escapeHtml(code)}</code>
    </pre>
  </figure>
);
