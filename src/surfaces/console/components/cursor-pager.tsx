import type { Html } from '../../../lib/text/html.ts';
import { Pager } from '../../../platform/ui/components/navigation.tsx';
import { texts } from '../texts/en.ts';
import { type Query, withQuery } from './navigation.tsx';

export interface CursorPagerOptions {
  path: string;
  /** The filters. */
  query?: Query;
  isFirst: boolean;
  /** `next_cursor` of the list. */
  next: string | null;
  /** What this page shows, such as `25 events`. */
  summary: string;
}

/** A pager of a list with a cursor, which leads to the first page and to the next. */
export const CursorPager = ({
  path,
  query = {},
  isFirst,
  next,
  summary,
}: CursorPagerOptions): Html => (
  <Pager
    label={texts.pager.label}
    summary={summary}
    previous={isFirst ? undefined : withQuery(path, query)}
    next={next === null ? undefined : withQuery(path, { ...query, cursor: next })}
    previousLabel={texts.pager.first}
    nextLabel={texts.pager.next}
  />
);
