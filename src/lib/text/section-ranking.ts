/**
 * Weights of a word in an example, in the text and in the heading. See
 * scripts/guides/search-index.mjs.
 */
const weights = [1, 2, 6];

/**
 * The index: words with their postings. A posting is the section times three plus the weight's
 * index.
 */
export type Terms = readonly (readonly [word: string, postings: readonly number[]])[];

const maxWords = 8;

/**
 * Returns the words of a query. Strips the plural s, so that plurals find singulars. Leaves out
 * single letters beside longer words: nearly every section has a word that begins with them.
 */
export function queryWords(query: string): string[] {
  const all = query.toLowerCase().match(/[a-z0-9]+(?:[._-][a-z0-9]+)*/g) ?? [];
  const long = all.filter((word) => word.length > 1);
  const words = long.length > 0 ? long : all;
  return [...new Set(words.map((word) => (word.length > 3 ? word.replace(/s$/, '') : word)))].slice(
    0,
    maxWords,
  );
}

/**
 * Parses the index. Its first line has the words: how many letters each shares with the one before,
 * as a digit in base 36, and its other letters. Then each word has a line with the distances
 * between its postings in base 36.
 */
export function termsOf(lines: string): Terms {
  const [words = '', ...postings] = lines.split('\n');
  let word = '';
  return words.split(' ').map((end, at) => {
    word = word.slice(0, parseInt(end.charAt(0), 36)) + end.slice(1);
    let posting = 0;
    const distances = postings[at]?.split(' ') ?? [];
    return [word, distances.map((distance) => (posting += parseInt(distance, 36)))];
  });
}

/** Scores sections for a word. Whole words count four times, and rare words count more. */
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

/** The words to score: names such as `users.taken` count in parts where no guide has them whole. */
function knownWords(query: string, terms: Terms): string[] {
  const isKnown = (word: string) => terms.some(([term]) => term.startsWith(word));
  const parts = (word: string) => word.split(/[._-]/).filter((part) => part.length > 2);
  return [...new Set(queryWords(query).flatMap((word) => (isKnown(word) ? word : parts(word))))];
}

/**
 * Returns the sections that match a query, best first: those with more than half as many of its
 * words as the best one.
 */
export function rankSections(query: string, terms: Terms): number[] {
  const total = new Map<number, { words: number; score: number }>();
  for (const word of knownWords(query, terms)) {
    for (const [section, score] of scoresOf(word, terms)) {
      const before = total.get(section) ?? { words: 0, score: 0 };
      total.set(section, { words: before.words + 1, score: before.score + score });
    }
  }
  const most = Math.max(0, ...[...total.values()].map(({ words }) => words));
  const fitting = [...total].filter(([, { words }]) => words * 2 > most);
  return fitting
    .sort(([first, a], [second, b]) => b.words - a.words || b.score - a.score || first - second)
    .map(([section]) => section);
}
