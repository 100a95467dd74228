import { firstEventColumns } from './columns.ts';

/** Returns a SELECT of visits grouped from `events e`; `from` holds the FROM and WHERE clauses. */
export function visitSelect(from: string): string {
  const first = (name: string) => `arg_min(e.${name}, (e.ts, e.event_id))`;
  return `SELECT any_value(e.site_id) AS site_id, e.session_id,
    any_value(e.visitor_id) AS visitor_id,
    min(e.ts) AS started, max(e.ts) AS ended, bool_or(e.bot) AS bot,
    count(*) FILTER (e.name = 1)::UINTEGER AS pageviews, count(*)::UINTEGER AS events,
    (count(*) FILTER (e.name = 1) <= 1
      AND count(*) FILTER (e.name <> 1 AND e.interactive) = 0) AS bounce,
    coalesce(arg_min(e.pathname, (e.ts, e.event_id)) FILTER (e.name = 1), 0)::UINTEGER
      AS entry_page,
    coalesce(arg_max(e.pathname, (e.ts, e.event_id)) FILTER (e.name = 1), 0)::UINTEGER
      AS exit_page,
    ${first('hostname')} AS hostname,
    ${firstEventColumns.map((name) => `${first(name)} AS ${name}`).join(', ')}
    FROM ${from} GROUP BY e.session_id`;
}
