import { distance } from 'fastest-levenshtein';
import type { Guide } from './library.ts';

const maxGuides = 3;

const haveCommonWord = (slug: string, other: string): boolean => {
  const words = new Set(other.split('-'));
  return slug.split('-').some((word) => word.length > 2 && words.has(word));
};

/** Suggests guides for an unknown slug: similarly spelt or with a common word, best first. */
export function similarGuides(slug: string, guides: readonly Guide[]): Guide[] {
  const candidates = guides.map((guide) => ({
    guide,
    far: distance(slug, guide.slug),
    shares:
      haveCommonWord(slug, guide.slug) ||
      guide.slug.startsWith(slug) ||
      slug.startsWith(guide.slug),
  }));
  return candidates
    .filter(({ guide, far, shares }) => shares || far <= Math.max(2, guide.slug.length / 3))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxGuides)
    .map(({ guide }) => guide);
}
