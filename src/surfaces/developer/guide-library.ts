import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { once } from '../../lib/memoize.ts';
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
/** What an entry of the changelog says about a part of the service. */
export const changeKinds = ['added', 'changed', 'fixed', 'removed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

const Entry = z.object({
  id: z.string(),
  date: z.iso.date(),
  title: z.string(),
  kind: z.enum(changeKinds),
  /** The part of the service: `Sign-in`. */
  area: z.string(),
  html: z.string(),
});

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

/** An entry of `docs/changelog.md`. */
export type ChangelogEntry = z.infer<typeof Entry>;
/** A section of a guide as plain text, for the search. */
export type GuideSection = z.infer<typeof Section>;
/** The search index: see scripts/guides/search-index.mjs. */
export type GuideIndex = z.infer<typeof SearchIndex>;

/** The guides, and the other content that the build creates for the developer pages. */
export interface GuideLibrary extends Library {
  /** The guides by the headings of their list. */
  groups: () => readonly { title: string; guides: readonly Guide[] }[];
  /** A picture (SVG) of a guide by its file name; undefined for unknown names. */
  image: (name: string) => string | undefined;
  /** The search index for the browser, as JSON. */
  index: () => string;
  /** Newest first. */
  changelog: () => readonly ChangelogEntry[];
}

export interface GuideLibraryOptions {
  /** The output of `scripts/guides.mjs`. */
  file: URL;
  /** Public URL of this server, which replaces the one in the examples. */
  baseUrl: string;
}

const exampleOrigin = /(http|ws):\/\/127\.0\.0\.1:3000/g;

function read(text: string, baseUrl: string) {
  const {
    groups,
    guides: builtGuides,
    images,
    sections,
    index,
    changelog,
  } = Built.parse(JSON.parse(text));
  const withBaseUrl = (example: string) =>
    example.replace(exampleOrigin, (_, scheme: string) =>
      scheme === 'ws' ? baseUrl.replace(/^http/, 'ws') : baseUrl,
    );
  const withBaseUrlInHtml = (example: string) =>
    example.replace(exampleOrigin, (address) => escapeHtml(withBaseUrl(address)));
  const guides = builtGuides.map((guide): Guide => ({
    ...guide,
    markdown: withBaseUrl(guide.markdown),
    html: withBaseUrlInHtml(guide.html),
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
    index: () => JSON.stringify(index),
    search: once(() => createSearch(index, sections)),
    changelog,
  };
}

/** Reads the built guides; they are parsed on first use. Rejects when the file is missing. */
export async function createLibrary({ file, baseUrl }: GuideLibraryOptions): Promise<GuideLibrary> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Error(`The guides are not in ${file.href}: run npm run build.`, { cause });
  });
  let cached: ReturnType<typeof read> | undefined;
  const all = () => (cached ??= read(text, baseUrl));
  return {
    guides: () => all().guides,
    find: (slug) => all().bySlug.get(slug),
    search: (query, limit) => all().search()(query, limit),
    groups: () => all().grouped,
    image: (name) => all().images.get(name),
    index: () => all().index(),
    changelog: () => all().changelog,
  };
}
