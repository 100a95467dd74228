/** A guide for developers, built from `docs/guides/{slug}.md`. */
export interface Guide {
  slug: string;
  title: string;
  /** The first paragraph, as plain text. */
  description: string;
  /** The source text. */
  markdown: string;
  /** The text as safe HTML. */
  html: string;
  /** Headings of levels 2 and 3 in document order; `id` is the anchor. */
  headings: readonly { id: string; level: 2 | 3; text: string }[];
}

export interface SearchResult {
  slug: string;
  title: string;
  /** The heading of the matching section; undefined before the first heading. */
  heading: { id: string; text: string } | undefined;
  /** The text around the match. */
  excerpt: string;
}

/** The guides and their search. */
export interface Library {
  /** All guides, in the order of their list. */
  guides: () => readonly Guide[];
  /** Finds a guide; undefined for unknown slugs. */
  find: (slug: string) => Guide | undefined;
  /** The best matching sections first, at most `limit`. */
  search: (query: string, limit: number) => readonly SearchResult[];
}
