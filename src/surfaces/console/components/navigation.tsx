import type { Html } from '../../../lib/text/html.ts';
import { Pager, Tabs } from '../../../platform/ui/components/navigation.tsx';
import { texts } from '../texts/en.ts';
import { count } from './number-format.ts';

export type Query = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Adds to the query of a URL. `undefined` and empty values are left out; lists repeat the name. */
export function withQuery(path: string, query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    for (const each of typeof value === 'object' ? value : [String(value)])
      params.append(name, each);
  }
  const text = params.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

export interface CursorPagerOptions {
  path: string;
  /** The filters. */
  query?: Query;
  isFirst: boolean;
  /** `next_cursor` of the list. */
  next: string | null;
  shown: string;
}

/** A pager of a list with cursor pagination; none for a list of one page. */
export const cursorPager = ({
  path,
  query = {},
  isFirst,
  next,
  shown,
}: CursorPagerOptions): Html | undefined =>
  isFirst && next === null ? undefined : (
    <Pager
      label={texts.pager.label}
      summary={shown}
      previous={isFirst ? undefined : withQuery(path, query)}
      next={next === null ? undefined : withQuery(path, { ...query, cursor: next })}
      previousLabel={texts.pager.first}
      nextLabel={texts.pager.next}
    />
  );

export interface PagePagerOptions {
  path: string;
  /** The filters. */
  query?: Query;
  /** From 1 on. */
  page: number;
  pageSize: number;
  /** How many entries there are. */
  total: number;
}

/** A pager of a list whose length is known: `26–50 of 412`; none for a list of one page. */
export function pagePager(options: PagePagerOptions): Html | undefined {
  const { path, query = {}, page, pageSize, total } = options;
  if (page === 1 && total <= pageSize) return undefined;
  const last = Math.min(page * pageSize, total);
  const at = (next: number) =>
    withQuery(path, { ...query, page: next === 1 ? undefined : String(next) });
  const range = {
    from: count((page - 1) * pageSize + 1),
    to: count(last),
    total: count(total),
  };
  return (
    <Pager
      label={texts.pager.label}
      summary={texts.pager.range(range)}
      previous={page > 1 ? at(page - 1) : undefined}
      next={last < total ? at(page + 1) : undefined}
      previousLabel={texts.pager.previous}
      nextLabel={texts.pager.next}
    />
  );
}

export interface Tab {
  href: string;
  text: string;
  isCurrent: boolean;
}

/** Links, one of them current: periods, states, pages of a section. */
export const tabs = (label: string, all: readonly Tab[]): Html => (
  <Tabs label={label} links={all} />
);

/** A link with a text: to another page, or to what a row of a table is about. */
export const textLink = (href: string, text: string): Html => (
  <a href={href} safe>
    {text}
  </a>
);
