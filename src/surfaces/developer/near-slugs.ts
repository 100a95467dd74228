import type { Guide } from './library.ts';

const most = 3;

/** How many letters have to be added, taken away or changed to make one word of the other (Levenshtein). */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const share = (slug: string, other: string): boolean => {
  const words = new Set(other.split('-'));
  return slug.split('-').some((word) => word.length > 2 && words.has(word));
};

/** The guides that a wrong slug may stand for, the likeliest first: those that are spelt almost so, or share a word with it. */
export function nearGuides(slug: string, guides: readonly Guide[]): Guide[] {
  const rated = guides.map((guide) => ({
    guide,
    far: distance(slug, guide.slug),
    shares: share(slug, guide.slug) || guide.slug.startsWith(slug) || slug.startsWith(guide.slug),
  }));
  return rated
    .filter(({ guide, far, shares }) => shares || far <= Math.max(2, guide.slug.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ guide }) => guide);
}
