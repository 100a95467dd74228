import type { ConsolePage } from '../layout.tsx';
import { count } from '../components/number-format.ts';
import { emptyState, panel } from '../components/elements.tsx';
import { texts } from '../texts/en.ts';
import type { SearchResult } from './search.ts';

function titleOf(text: string, found: number): string {
  const { noQuery, one, many } = texts.search;
  if (text === '') return noQuery;
  return found === 1 ? one({ text }) : many({ count: count(found), text });
}

export function searchPage(
  text: string,
  results: readonly SearchResult[],
  isAdmin: boolean,
): ConsolePage {
  const hint = isAdmin ? texts.search.hintForAdmins : texts.search.hintForViewers;
  const list = (
    <ul class="notes">
      {results.map(({ name, hint, href }) => (
        <li>
          <a href={href} safe>
            {name}
          </a>{' '}
          <span class="hint" safe>
            {hint}
          </span>
        </li>
      ))}
    </ul>
  );
  return {
    section: undefined,
    title: texts.search.title,
    body: panel({
      id: 'found',
      title: titleOf(text, results.length),
      body: results.length === 0 ? emptyState({ text: hint }) : list,
    }),
  };
}
