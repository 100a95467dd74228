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

// Punctuation looks like text: half of all pieces need no markup.
const classOf = (color) => /^var\(t-token-(?!punctuation)([\w-]+)\)$/.exec(color ?? '')?.[1];

/**
 * Gives a function that colours code. Each piece has a class in place of a colour: pages have no
 * inline style, and the style sheet says what a string looks like in light and dark.
 */
export async function createHighlighting(escapeHtml) {
  const highlighter = await createHighlighterCore({
    themes: [createCssVariablesTheme({ name: 'variables', variablePrefix: 't-' })],
    langs: known.map((name) => import(`shiki/langs/${name}.mjs`)),
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
  const piece = ({ content, color }) => {
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
        // Without a time limit a busy machine builds the same pages as any other.
        .codeToTokensBase(code, { lang: language, theme: 'variables', tokenizeTimeLimit: 0 })
        .map((line) => joined(line).map(piece).join(''))
        .join('\n')
    );
  };
}

/** Neighbours of one colour are one piece: half the markup. */
function joined(line) {
  const pieces = [];
  for (const { content, color: own } of line) {
    const color = classOf(own) === undefined ? undefined : own;
    const before = pieces.at(-1);
    if (before !== undefined && before.color === color) before.content += content;
    else pieces.push({ content, color });
  }
  return pieces;
}
