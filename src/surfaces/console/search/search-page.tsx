import type { ConsolePage } from '../layout.tsx';
import { plural } from '../components/number-format.ts';
import { emptyState, panel } from '../components/elements.tsx';
import type { SearchResult } from './search.ts';

export function searchPage(
  text: string,
  results: readonly SearchResult[],
  isAdmin: boolean,
): ConsolePage {
  const where = isAdmin
    ? 'pages, sites, incidents, people, devices and API keys'
    : 'pages, sites and incidents';
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
  const nothing =
    text === ''
      ? `Type into the field above: it looks for ${where}.`
      : `Nothing is called ${text}. Looked through were ${where}: ` +
        'names are found by how they begin.';
  return {
    section: undefined,
    title: 'Search',
    body: panel({
      id: 'found',
      title:
        text === ''
          ? 'Nothing was searched for'
          : `${plural(results.length, 'place')} for “${text}”`,
      body: results.length === 0 ? emptyState({ text: nothing }) : list,
    }),
  };
}
