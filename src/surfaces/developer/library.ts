/** A guide for developers, as the build has made it from `docs/guides/{slug}.md`. */
export interface Guide {
  slug: string;
  title: string;
  /** The first paragraph, as plain text. */
  description: string;
  /** The whole text as it was written. */
  markdown: string;
  /** The whole text as markup that is safe to put into a page. */
  html: string;
  /** Headings of the second and third level, in their order; `id` is their anchor. */
  headings: readonly { id: string; level: 2 | 3; text: string }[];
}

export interface Found {
  slug: string;
  title: string;
  /** The heading under which it was found; undefined where that is the guide itself. */
  heading: { id: string; text: string } | undefined;
  /** A piece of the text around it. */
  excerpt: string;
}

/** The guides, and what can be found in them. */
export interface Library {
  /** In the order in which they are listed. */
  guides: () => readonly Guide[];
  /** Undefined for a slug that there is no guide of. */
  find: (slug: string) => Guide | undefined;
  /** The best places first, at most `limit`. Nothing for words that are nowhere. */
  search: (query: string, limit: number) => readonly Found[];
}
