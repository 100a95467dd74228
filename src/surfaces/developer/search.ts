import { queryWords, rankSections, termsOf } from '../../lib/text/section-ranking.ts';
import type { GuideIndex, GuideSection } from './guide-library.ts';
import type { SearchResult } from './library.ts';

const excerptLength = 160;

/** An excerpt of the text around the first match of a word. */
function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const lower = flat.toLowerCase();
  const positions = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(flat.length, ...positions) - excerptLength / 4);
  const from = start === 0 || positions.length === 0 ? 0 : flat.indexOf(' ', start) + 1;
  const end =
    flat.length <= from + excerptLength ? flat.length : flat.lastIndexOf(' ', from + excerptLength);
  return `${from === 0 ? '' : '… '}${flat.slice(
    from,
    Math.max(end, from),
  )}${end === flat.length ? '' : ' …'}`;
}

/** Creates the search over the sections of all guides. */
export function createSearch({ terms }: GuideIndex, sections: readonly GuideSection[]) {
  const entries = termsOf(terms);
  return (query: string, limit: number): SearchResult[] => {
    const words = queryWords(query);
    return rankSections(query, entries)
      .slice(0, limit)
      .flatMap((number): SearchResult[] => {
        const section = sections[number];
        return section === undefined
          ? []
          : [
              {
                slug: section.slug,
                title: section.title,
                heading: section.heading,
                excerpt: excerptOf(section.text, words),
              },
            ];
      });
  };
}
