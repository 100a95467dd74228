import type { Seal } from '../../../lib/secrets/seal.ts';
import { defineErrors } from '../../../platform/errors/errors.ts';

const searchErrors = defineErrors('console', {
  search_unreadable: [
    422,
    "This address shows a search that can't be read any more: it is cut off, " +
      'or older than the secret of this service. Search again.',
    ['query', 'find'],
  ],
});

/**
 * Keeps search terms out of addresses. Admins often search for a name or an e-mail address, and
 * addresses end up in histories and proxy logs. Terms are sent in the body of a form, and the
 * address of the result page carries them encrypted.
 */
export function createSearchTerms(seal: Seal) {
  return {
    /** The terms for an address; undefined without terms. */
    seal: (terms: string | undefined): string | undefined =>
      terms === undefined || terms === '' ? undefined : seal.seal(terms),

    /** The terms of an address. Throws `console.search_unreadable` unless they were sealed here. */
    open(find: string | undefined): string | undefined {
      const terms = find === undefined ? undefined : seal.open(find);
      if (find !== undefined && terms === undefined) throw searchErrors.search_unreadable();
      return terms;
    },
  };
}

export type SearchTerms = ReturnType<typeof createSearchTerms>;
