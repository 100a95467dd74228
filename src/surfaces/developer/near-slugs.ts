import { distance } from 'fastest-levenshtein';
import type { Guide } from './library.ts';

const maxGuides = 3;

const share = (slug: string, other: string): boolean => {
  const words = new Set(other.split('-'));
  return slug.split('-').some((word) => word.length > 2 && words.has(word));
};

/** The guides that a wrong slug may mean, likeliest first: spelt alike, or sharing a word. */
export function nearGuides(slug: string, guides: readonly Guide[]): Guide[] {
  const rated = guides.map((guide) => ({
    guide,
    far: distance(slug, guide.slug),
    shares: share(slug, guide.slug) || guide.slug.startsWith(slug) || slug.startsWith(guide.slug),
  }));
  return rated
    .filter(({ guide, far, shares }) => shares || far <= Math.max(2, guide.slug.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxGuides)
    .map(({ guide }) => guide);
}
