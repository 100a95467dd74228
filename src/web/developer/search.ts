import { rankSections, termsOf } from '../../lib/text/section-ranking.ts';

/** The index of the guides, as scripts/guides/search-index.mjs writes it. */
export interface SearchIndex {
  sections: string[][];
  terms: string;
}

export interface Place {
  href: string;
  title: string;
  heading: string;
  text: string;
}

/** The places that match a query best, in the server's order. */
export function search({ sections, terms }: SearchIndex, query: string, limit: number): Place[] {
  return rankSections(query, termsOf(terms))
    .slice(0, limit)
    .map((number) => {
      const [slug = '', title = '', id = '', heading = '', text = ''] = sections[number] ?? [];
      return {
        href: `/developer/guides/${slug}${id === '' ? '' : `#${id}`}`,
        title,
        heading,
        text,
      };
    });
}
