import MarkdownIt from 'markdown-it';
import { createHighlighting } from './highlighting.mjs';

const languages = {
  sh: 'Shell',
  bash: 'Shell',
  ts: 'TypeScript',
  js: 'JavaScript',
  json: 'JSON',
  jsonc: 'JSON',
  html: 'HTML',
  python: 'Python',
  graphql: 'GraphQL',
  http: 'HTTP',
  sql: 'SQL',
};
const alternatives = new Set(['sh', 'ts', 'js', 'python']);
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
const plain = (token) =>
  (token.children ?? [])
    .map(({ type, content }) =>
      type === 'softbreak' || type === 'hardbreak'
        ? ' '
        : ['text', 'code_inline'].includes(type)
          ? content
          : '',
    )
    .join('');
const pathOf = (href) => {
  const [, slug, anchor = ''] = /^(?:guides\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return slug === undefined ? href : `/developer/guides/${slug}${anchor}`;
};

/** Gives every heading an id, named as on GitHub. Returns the headings down to level 3. */
function nameHeadings(tokens) {
  const seen = new Map();
  const headings = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = plain(tokens[at + 1]);
    const base = anchorOf(text);
    const count = seen.get(base) ?? 0;
    seen.set(base, count + 1);
    token.attrSet('id', count === 0 ? base : `${base}-${count}`);
    const level = Number(token.tag.slice(1));
    if (level <= 3) headings.push({ id: token.attrGet('id'), level, text });
  }
  return headings;
}

/** Turns consecutive blocks of the same call in several languages into tabs. */
function findTabs(tokens, file) {
  const isAlternative = (token) => token?.type === 'fence' && alternatives.has(token.info.trim());
  let group = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    let end = at;
    while (
      isAlternative(tokens[end]) &&
      !tokens.slice(at, end).some(({ info }) => info === tokens[end].info)
    )
      end += 1;
    if (end - at < 2) continue;
    group += 1;
    for (let each = at; each < end; each += 1)
      tokens[each].meta = {
        name: `${file.replace(/\W+/g, '-')}-${group}`,
        isFirst: each === at,
        isLast: each === end - 1,
      };
    at = end - 1;
  }
}

/** Returns the texts for the search: the one before the first heading, and one per heading. */
function sectionsOf(tokens) {
  const sections = [{ heading: undefined, text: '', code: '' }];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open' && ['h2', 'h3'].includes(token.tag))
      sections.push({
        heading: { id: token.attrGet('id'), text: plain(tokens[at + 1]) },
        text: '',
        code: '',
      });
    if (token.type === 'fence') sections.at(-1).code += `${token.content}\n`;
    if (token.type === 'inline' && tokens[at - 1].type !== 'heading_open')
      sections.at(-1).text += `${plain(token)}\n`;
  }
  return sections.filter(({ heading, text }) => heading !== undefined || text !== '');
}

/** Renders the comments in a guide that concern readers. Throws at any other markup. */
function comment({ content }, env, escapeHtml) {
  let why = '';
  const rest = content.replace(/<!--([^]*?)-->/g, (_, text) => {
    const [, status] = /^ answered: (\d{3}) $/.exec(text) ?? [];
    if (status !== undefined) env.status = status;
    // Without the path of the test, which does not interest readers.
    const [, reason] = /^ not run: (.+?)(?:, test\/\S+)? $/.exec(text) ?? [];
    if (reason !== undefined)
      why =
        '<p class="why">The tests run the other examples of this guide, not the next one: ' +
        `${escapeHtml(reason)}.</p>\n`;
    return '';
  });
  if (rest.trim() !== '')
    throw new Error(`${env.file}: HTML is not allowed: ${rest.trim().slice(0, 60)}`);
  return why;
}

function codeRenderers(markdown, highlight) {
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  const figure = (token, label) => {
    const code = highlight(token.content.replace(/\n$/, ''), token.info.trim());
    return (
      `<figure class="snippet"><figcaption>${label}</figcaption>` +
      `<pre tabindex="0"><code>${code}</code></pre></figure>\n`
    );
  };

  function labelOf(token, env) {
    const language = token.info.trim();
    const isAnswer = language === 'json' && env.last === 'sh';
    env.last = language === 'json' ? env.last : language;
    if (!isAnswer) return languages[language] ?? 'Text';
    const status = env.status;
    env.status = undefined;
    return status === undefined ? 'Response' : `Response ${status}`;
  }

  function tab({ meta: { name, isFirst, isLast }, info, ...token }) {
    const language = info.trim();
    const label = languages[language];
    const block =
      `<details name="${name}" data-language="${language}"${isFirst ? ' open' : ''}>` +
      `<summary>${label === 'Shell' ? 'curl' : label}</summary>\n` +
      `${figure({ ...token, info }, label)}</details>\n`;
    return `${isFirst ? '<div class="languages">\n' : ''}${block}${isLast ? '</div>\n' : ''}`;
  }

  rules.html_block = rules.html_inline = (tokens, at, _options, env) =>
    comment(tokens[at], env, escapeHtml);
  rules.fence = (tokens, at, _options, env) => {
    const label = labelOf(tokens[at], env);
    return tokens[at].meta === null ? figure(tokens[at], label) : tab(tokens[at]);
  };
  rules.code_block = (tokens, at) => figure(tokens[at], 'Text');
}

function textRenderers(markdown) {
  const { rules } = markdown.renderer;
  const { escapeHtml } = markdown.utils;
  rules.table_open = () => '<div class="table-scroll" tabindex="0"><table class="table">\n';
  rules.table_close = () => '</table></div>\n';
  rules.heading_open = (tokens, at) => {
    const id = tokens[at].attrGet('id');
    return `<${tokens[at].tag} id="${escapeHtml(id)}"><a href="#${encodeURIComponent(id)}">`;
  };
  rules.heading_close = (tokens, at) => `</a></${tokens[at].tag}>\n`;
  rules.link_open = (tokens, at, options, _env, self) => (
    tokens[at].attrSet('href', pathOf(tokens[at].attrGet('href'))),
    self.renderToken(tokens, at, options)
  );
  rules.image = (tokens, at, _options, env) => {
    const source = tokens[at].attrGet('src');
    if (!/^[\w-]+\.svg$/.test(source))
      throw new Error(`${env.file}: only SVG pictures in docs/guides are allowed: ${source}`);
    const alt = escapeHtml(plain(tokens[at]));
    return `<img src="/developer/guides/${source}" alt="${alt}" loading="lazy">`;
  };
}

/**
 * Returns a function that renders Markdown: `html`, `headings`, `sections` for the search, and
 * `first`, its first paragraph as plain text.
 */
export async function createMarkdown() {
  // Comments are for the tests of the guides; other HTML is refused above.
  const markdown = new MarkdownIt({ html: true });
  textRenderers(markdown);
  codeRenderers(markdown, await createHighlighting(markdown.utils.escapeHtml));
  return (text, file) => {
    const env = { file };
    const tokens = markdown.parse(text, env);
    const headings = nameHeadings(tokens);
    findTabs(tokens, file);
    const first = tokens.find(
      ({ type }, at) => type === 'inline' && tokens[at - 1]?.type === 'paragraph_open',
    );
    return {
      html: markdown.renderer.render(tokens, markdown.options, env),
      headings,
      sections: sectionsOf(tokens),
      first: first === undefined ? '' : plain(first),
    };
  };
}
