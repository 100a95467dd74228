import { escapeHtml } from '../../../lib/text/html.ts';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import type { ConsolePage } from '../layout.tsx';
import { count } from '../components/number-format.ts';
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
          <a href={href}>{escapeHtml(name)}</a> <span class="hint">{escapeHtml(hint)}</span>
        </li>
      ))}
    </ul>
  );
  return {
    section: undefined,
    title: texts.search.title,
    body: (
      <Card id="found" title={titleOf(text, results.length)}>
        {results.length === 0 ? <EmptyState icon="list" text={hint} /> : list}
      </Card>
    ),
  };
}
