import type { Seal } from '../../lib/secrets/seal.ts';
import { defineErrors } from '../../platform/errors/errors.ts';

const searchErrors = defineErrors('console', {
  search_unreadable: [
    422,
    "This address shows a search that can't be read any more: it is cut off, or older than the secret of this service. Search again.",
    ['query', 'find'],
  ],
});

/**
 * What admins look for is often somebody's name or address, and addresses of pages end in histories and in the logs of proxies.
 * So words are sent in the body of a form, and stand sealed in the address that shows what fits.
 */
export function createSearchWords(sealed: Seal) {
  return {
    /** The words as they stand in an address; undefined where there are none. */
    seal: (words: string | undefined): string | undefined =>
      words === undefined || words === '' ? undefined : sealed.seal(words),
    /** The words of an address. Throws `console.search_unreadable` for what was not sealed here. */
    open(find: string | undefined): string | undefined {
      const words = find === undefined ? undefined : sealed.open(find);
      if (find !== undefined && words === undefined) throw searchErrors.search_unreadable();
      return words;
    },
  };
}

export type SearchWords = ReturnType<typeof createSearchWords>;
