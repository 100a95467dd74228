import { queryWords, rankSections, termsOf } from '../../lib/text/section-ranking.ts';
import type { GuideIndex, GuideSection } from './guide-library.ts';
import type { Found } from './library.ts';

const around = 160;

/** A piece of the text around the first of the words in it. */
function excerptOf(text: string, words: readonly string[]): string {
  const flat = text.replace(/\s+/g, ' ').trim();
  const low = flat.toLowerCase();
  const places = words.map((word) => low.indexOf(word)).filter((at) => at >= 0);
  const begin = Math.max(0, Math.min(flat.length, ...places) - around / 4);
  const from = begin === 0 || places.length === 0 ? 0 : flat.indexOf(' ', begin) + 1;
  const end = flat.length <= from + around ? flat.length : flat.lastIndexOf(' ', from + around);
  return `${from === 0 ? '' : '… '}${flat.slice(
    from,
    Math.max(end, from),
  )}${end === flat.length ? '' : ' …'}`;
}

/** The search over the sections of all guides. */
export function createSearch({ terms }: GuideIndex, sections: readonly GuideSection[]) {
  const entries = termsOf(terms);
  return (query: string, limit: number): Found[] => {
    const words = queryWords(query);
    return rankSections(query, entries)
      .slice(0, limit)
      .flatMap((number): Found[] => {
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
