import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { escapeHtml } from '../../lib/text/html.ts';
import type { Guide, Library } from './library.ts';
import { createSearch } from './search.ts';

const Heading = z.object({
  id: z.string(),
  level: z.union([z.literal(2), z.literal(3)]),
  text: z.string(),
});
const Section = z.object({
  slug: z.string(),
  title: z.string(),
  heading: Heading.pick({ id: true, text: true }).optional(),
  text: z.string(),
});
const SearchIndex = z.object({ sections: z.array(z.array(z.string())), terms: z.string() });
const Entry = z.object({ id: z.string(), date: z.iso.date(), title: z.string(), html: z.string() });

const Built = z.object({
  groups: z.array(z.object({ title: z.string(), slugs: z.array(z.string()) })),
  guides: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      description: z.string(),
      markdown: z.string(),
      html: z.string(),
      headings: z.array(Heading),
    }),
  ),
  images: z.record(z.string(), z.string()),
  sections: z.array(Section),
  index: SearchIndex,
  changelog: z.array(Entry),
});

/** What changed on one day, as `docs/changelog.md` tells it. */
export type ChangelogEntry = z.infer<typeof Entry>;
/** A part of a guide, as text for the search. */
export type GuideSection = z.infer<typeof Section>;
/** Which sections have a word: see scripts/guides/search-index.mjs. */
export type GuideIndex = z.infer<typeof SearchIndex>;

/** The guides, and what else the build has made for the pages of developers. */
export interface GuideLibrary extends Library {
  /** The guides under the headings that they are listed below. */
  groups: () => readonly { title: string; guides: readonly Guide[] }[];
  /** A picture (SVG) that a guide shows, by its file name. */
  image: (name: string) => string | undefined;
  /** For the search in the browser, as JSON. */
  index: () => string;
  /** The newest first. */
  changelog: () => readonly ChangelogEntry[];
}

export interface GuideLibraryOptions {
  /** What `scripts/guides.mjs` has made. */
  file: URL;
  /** Public address of this server: it stands in the examples. */
  baseUrl: string;
}

const documented = /(http|ws):\/\/127\.0\.0\.1:3000/g;

function read(text: string, baseUrl: string) {
  const {
    groups,
    guides: written,
    images,
    sections,
    index,
    changelog,
  } = Built.parse(JSON.parse(text));
  const here = (example: string) =>
    example.replace(documented, (_, scheme: string) =>
      scheme === 'ws' ? baseUrl.replace(/^http/, 'ws') : baseUrl,
    );
  const inMarkup = (example: string) =>
    example.replace(documented, (address) => escapeHtml(here(address)));
  const guides = written.map((guide): Guide => ({
    ...guide,
    markdown: here(guide.markdown),
    html: inMarkup(guide.html),
  }));
  const bySlug = new Map(guides.map((guide) => [guide.slug, guide]));
  const grouped = groups.map(({ title, slugs }) => ({
    title,
    guides: slugs.flatMap((slug) => bySlug.get(slug) ?? []),
  }));
  return {
    guides,
    bySlug,
    grouped,
    images: new Map(Object.entries(images)),
    index: JSON.stringify(index),
    search: createSearch(index, sections),
    changelog,
  };
}

/** Opens the built guides, which are parsed when first used. Rejects when they are missing. */
export async function createLibrary({ file, baseUrl }: GuideLibraryOptions): Promise<GuideLibrary> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The guides are not in ${file.href}: run npm run build.`, { cause });
  });
  let known: ReturnType<typeof read> | undefined;
  const all = () => (known ??= read(text, baseUrl));
  return {
    guides: () => all().guides,
    find: (slug) => all().bySlug.get(slug),
    search: (query, limit) => all().search(query, limit),
    groups: () => all().grouped,
    image: (name) => all().images.get(name),
    index: () => all().index,
    changelog: () => all().changelog,
  };
}
