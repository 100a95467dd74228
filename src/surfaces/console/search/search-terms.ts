import type { Seal } from '../../../lib/secrets/seal.ts';
import { defineErrors } from '../../../platform/errors/errors.ts';

const searchErrors = defineErrors('console', {
  search_unreadable: [
    422,
    "This search link can't be read: it is incomplete, or the secret of the service " +
      'has changed. Search again.',
    ['query', 'find'],
  ],
});

/**
 * Keeps search terms out of URLs. Admins often search for a name or an email address, and URLs end
 * up in histories and proxy logs. Terms are sent in the body of a form, and the URL of the page of
 * results has them encrypted.
 */
export function createSearchTerms(seal: Seal) {
  return {
    /** Encrypts terms for a URL; undefined without terms. */
    seal: (terms: string | undefined): string | undefined =>
      terms === undefined || terms === '' ? undefined : seal.seal(terms),

    /**
     * Decrypts terms from a URL. Throws `console.search_unreadable` if they were not sealed here.
     */
    open(find: string | undefined): string | undefined {
      const terms = find === undefined ? undefined : seal.open(find);
      if (find !== undefined && terms === undefined) throw searchErrors.search_unreadable();
      return terms;
    },
  };
}

export type SearchTerms = ReturnType<typeof createSearchTerms>;
