/** The index of the guides, as scripts/guides/search-index.mjs has made it. */
export interface SearchIndex {
  sections: string[][];
  terms: string;
}

/** Words, and the sections that have them. */
type Terms = [word: string, postings: number[]][];

export interface Place {
  href: string;
  title: string;
  heading: string;
  text: string;
}

const weights = [1, 2, 6];
const mostWords = 8;

function queryWords(query: string): string[] {
  const words = query.toLowerCase().match(/[a-z0-9]+(?:[._-][a-z0-9]+)*/g) ?? [];
  return [...new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)))].slice(0, mostWords);
}

function termsOf(lines: string): Terms {
  return lines.split('\n').map((line) => {
    const [word = '', ...distances] = line.split(' ');
    let posting = 0;
    return [word, distances.map((distance) => (posting += parseInt(distance, 36)))];
  });
}

function scoresOf(word: string, terms: Terms): Map<number, number> {
  const scores = new Map<number, number>();
  for (const [term, postings] of terms) {
    if (!term.startsWith(word)) continue;
    const worth = (term.length - word.length < 2 ? 4 : 1) / Math.log2(1 + postings.length);
    for (const posting of postings) {
      const section = Math.floor(posting / 3);
      scores.set(section, Math.max(scores.get(section) ?? 0, worth * (weights[posting % 3] ?? 0)));
    }
  }
  return scores;
}

function rankSections(query: string, terms: Terms): number[] {
  const total = new Map<number, { words: number; score: number }>();
  for (const word of queryWords(query)) {
    scoresOf(word, terms).forEach((score, section) => {
      const before = total.get(section) ?? { words: 0, score: 0 };
      total.set(section, { words: before.words + 1, score: before.score + score });
    });
  }
  const most = Math.max(0, ...[...total.values()].map(({ words }) => words));
  const fitting = [...total].filter(([, { words }]) => words * 2 > most);
  return fitting.sort(([first, a], [second, b]) => b.words - a.words || b.score - a.score || first - second).map(([section]) => section);
}

/** The places that fit a query best, in the order in which the server has them (a test compares the two). */
export function search({ sections, terms }: SearchIndex, query: string, limit: number): Place[] {
  return rankSections(query, termsOf(terms)).slice(0, limit).map((number) => {
    const [slug = '', title = '', id = '', heading = '', text = ''] = sections[number] ?? [];
    return { href: `/developer/guides/${slug}${id === '' ? '' : `#${id}`}`, title, heading, text };
  });
}
