import { createHighlighterCore } from 'shiki/core';
import { createCssVariablesTheme } from 'shiki';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

const known = [
  'shellscript',
  'typescript',
  'javascript',
  'json',
  'html',
  'python',
  'graphql',
  'http',
  'sql',
];

// Punctuation looks like text: half of all tokens need no markup.
const classOf = (color) => /^var\(t-token-(?!punctuation)([\w-]+)\)$/.exec(color ?? '')?.[1];

/**
 * Returns a function that highlights code as HTML. Each token has a class instead of a colour:
 * pages have no inline styles, and the style sheet has the colours for light and dark.
 */
export async function createHighlighting(escapeHtml) {
  const highlighter = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'variables', variablePrefix: 't-' })],
    langs: known.map((name) => import(`shiki/langs/${name}.mjs`)),
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const renderToken = ({ content, color }) => {
    const name = classOf(color);
    return name === undefined || content.trim() === ''
      ? escapeHtml(content)
      : `<span class="t-${name}">${escapeHtml(content)}</span>`;
  };
  const isKnown = new Set(highlighter.getLoadedLanguages());
  return (code, language) => {
    if (!isKnown.has(language)) return escapeHtml(code);
    return (
      highlighter
        // No time limit, so that a busy machine builds the same pages as any other.
        .codeToTokensBase(code, { lang: language, theme: 'variables', tokenizeTimeLimit: 0 })
        .map((line) => mergeTokens(line).map(renderToken).join(''))
        .join('\n')
    );
  };
}

/** Merges neighbouring tokens of one colour, which halves the markup. */
function mergeTokens(line) {
  const tokens = [];
  for (const { content, color: own } of line) {
    const color = classOf(own) === undefined ? undefined : own;
    const before = tokens.at(-1);
    if (before !== undefined && before.color === color) before.content += content;
    else tokens.push({ content, color });
  }
  return tokens;
}
