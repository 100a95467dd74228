import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { searchIndex } from './guides/search-index.mjs';
import { inRoot } from './setup/paths.mjs';

const folder = inRoot('docs', 'guides');

/** Splits a guide into its title, which the page shows as its heading, and the rest. */
function splitTitle(file, markdown) {
  const [, title, rest] = /^# (.+)\n([^]*)$/.exec(markdown) ?? [];
  if (title === undefined)
    throw new Error(`docs/guides/${file}: the first line has to be the title (# …)`);
  return { title: title.trim(), rest };
}

/** Returns the first sentences of a text, short enough for a list. */
function summaryOf(text) {
  const sentences = text.match(/[^.!?:]+(?:[.!?:](?!\s)[^.!?:]*)*[.!?:]?\s*/g) ?? [text];
  let summary = '';
  for (const sentence of sentences) {
    if (summary !== '' && summary.length + sentence.length > 170) break;
    summary += sentence;
  }
  return summary.trim().replace(/:$/, '.');
}

/** Replaces links to unpublished documents with their text. */
const withoutPrivateLinks = (markdown) => markdown.replace(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, '$1');

function guideOf(file, markdown, render) {
  const { title, rest } = splitTitle(file, markdown);
  const { html, headings, sections, first } = render(rest, `docs/guides/${file}`);
  return {
    guide: {
      slug: file.slice(0, -3),
      title,
      description: summaryOf(first),
      markdown,
      html,
      headings,
    },
    sections,
  };
}

/** Groups guides in the order of docs/guides/contents.json; unlisted guides come last. */
function groupsOf(slugs) {
  const listed = JSON.parse(readFileSync(`${folder}/contents.json`, 'utf8'));
  const known = new Set(listed.flatMap(({ guides }) => guides));
  const others = slugs.filter((slug) => !known.has(slug));
  const groups = [...listed, { title: 'More', guides: others }].map(({ title, guides }) => ({
    title,
    slugs: guides.filter((slug) => slugs.includes(slug)),
  }));
  return groups.filter((group) => group.slugs.length > 0);
}

const entryForm = /^(\d{4}-\d\d-\d\d): (.+)\n\n(Added|Changed|Fixed|Removed) · ([^\n]+)\n([^]*)$/;

function changelogOf(render) {
  const markdown = readFileSync(inRoot('docs', 'changelog.md'), 'utf8');
  const entries = markdown
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [, date, title, kind = '', area, text] = entryForm.exec(part) ?? [];
      if (date === undefined)
        throw new Error(
          `docs/changelog.md: an entry begins with "## 2026-01-31: Its title" and a line such as ` +
            `"Added · Console": ${part.slice(0, 60)}`,
        );
      return {
        id: `${date}-${title
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-')
          .replace(/^-|-$/g, '')}`,
        date,
        title,
        kind: kind.toLowerCase(),
        area,
        html: render(text, 'docs/changelog.md').html,
      };
    });
  return entries.sort((a, b) => b.date.localeCompare(a.date));
}

/**
 * Writes guides.json to `outdir` from docs/guides/ and docs/changelog.md. Throws an Error that
 * names the file if one is not valid.
 */
export async function buildGuides(outdir = 'dist') {
  const files = readdirSync(folder);
  // Imported here, because its packages are installed before the build but after this file is
  // loaded.
  const { createMarkdown } = await import('./guides/markdown.mjs');
  const render = await createMarkdown();
  const rendered = files
    .filter((file) => file.endsWith('.md'))
    .map((file) =>
      guideOf(file, withoutPrivateLinks(readFileSync(`${folder}/${file}`, 'utf8')), render),
    );
  const groups = groupsOf(rendered.map(({ guide }) => guide.slug));
  const ordered = groups
    .flatMap(({ slugs }) => slugs)
    .map((slug) => rendered.find(({ guide }) => guide.slug === slug));
  const images = Object.fromEntries(
    files
      .filter((file) => file.endsWith('.svg'))
      .map((file) => [file, readFileSync(`${folder}/${file}`, 'utf8')]),
  );
  const sections = ordered.flatMap(({ guide: { slug, title }, sections: all }) =>
    all.map((section) => ({ slug, title, ...section })),
  );
  const texts = sections.map(({ code: _code, ...section }) => section);
  const library = {
    groups,
    guides: ordered.map(({ guide }) => guide),
    images,
    sections: texts,
    index: searchIndex(sections),
    changelog: changelogOf(render),
  };
  mkdirSync(inRoot(outdir), { recursive: true });
  writeFileSync(inRoot(outdir, 'guides.json'), JSON.stringify(library));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildGuides();
