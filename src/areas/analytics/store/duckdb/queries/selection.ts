import type { DashboardStoreQuery, Range, StoreQuery } from '../../queries.ts';
import { visitSelect } from '../schema/visit-select.ts';
import { bucketIndex } from '../sql/buckets.ts';
import { siteCondition } from '../sql/site-condition.ts';
import { timeLiteral as ms } from '../sql/values.ts';
import type { QueryConditions, VisitContent } from './conditions.ts';

/** How long a visitor counts as currently on the site after an event. */
export const visitorsNowMs = 5 * 60_000;

/** SQL that selects the rows of `visits` and `events` of a query. */
export interface Selection {
  /** Returns a SELECT of `columns` from the closed and open visits that began in the range. */
  visits: (columns: string, range: Range) => string;
  /** Returns a SELECT of `columns` from the events of the range; `more` adds conditions. */
  events: (columns: string, range: Range, more?: string) => string;
  /** Like `events`, whatever the filters select. */
  allEvents: (columns: string, range: Range, more?: string) => string;
  /** Like `events`, but for bots only, whether or not the query includes bots. */
  botEvents: (columns: string, range: Range) => string;
  /** Returns SQL for the bucket index of a time column. */
  bucket: (column: string) => string;
  /** Statements that create the temporary tables that the other members read. */
  preparation: string[];
}

/** A query, with the members of a dashboard query that affect the selection. */
export type Selected = StoreQuery &
  Partial<Pick<DashboardStoreQuery, 'compare' | 'buckets' | 'now'>>;

type SiteId = StoreQuery['siteId'];

/** Creates `open_visits`: visits that are not in `visits` yet, computed from their events. */
function openVisits(siteId: SiteId, openFrom: number): string {
  const from = ms(openFrom);
  const visits = visitSelect(`events e
    WHERE e.${siteCondition(siteId)} AND e.session_id <> 0 AND e.ts >= ${from}
    AND e.session_id NOT IN (
      SELECT session_id FROM visits WHERE ${siteCondition(siteId)} AND ended >= ${from})`);
  return `CREATE OR REPLACE TEMP TABLE open_visits AS ${visits}`;
}

/** Creates `matching`: visits with an event that meets the conditions on events. */
function matchingVisits(siteId: SiteId, from: number, event: string[], bots: string): string {
  return `CREATE OR REPLACE TEMP TABLE matching AS SELECT DISTINCT session_id FROM events
    WHERE ${siteCondition(siteId)} AND ts >= ${ms(from)} AND session_id <> 0${bots}
    AND ${event.join(' AND ')}`;
}

const contentTable = (index: number): string => `content${index}`;

/** Creates a table of the visits with an event that meets a condition, sent `only_bots` or not. */
const visitsContaining = (siteId: SiteId, from: number, event: string, index: number): string =>
  `CREATE OR REPLACE TEMP TABLE ${contentTable(index)} AS
   SELECT session_id, bool_and(bot) AS only_bots FROM events
   WHERE ${siteCondition(siteId)} AND ts >= ${ms(from)} AND session_id <> 0 AND ${event}
   GROUP BY session_id`;

/** Returns conditions on the visit of a row: what it contains. `bots`: events of bots count. */
const contentConditions = (contents: readonly VisitContent[], bots: boolean): string[] =>
  contents.flatMap(({ isExcluded }, index) => {
    const read = bots ? '' : ' WHERE NOT only_bots';
    const visits = `(SELECT session_id FROM ${contentTable(index)}${read})`;
    return isExcluded
      ? ['session_id <> 0', `session_id NOT IN ${visits}`]
      : [`session_id IN ${visits}`];
  });

/** Creates `chosen`: visits that meet the conditions on visits, regardless of their start. */
function chosenVisits(siteId: SiteId, from: number, visit: string[]): string {
  const where = `${siteCondition(siteId)} AND ended >= ${ms(from)} AND ${visit.join(' AND ')}`;
  return `CREATE OR REPLACE TEMP TABLE chosen AS SELECT session_id FROM visits WHERE ${where}
    UNION ALL SELECT session_id FROM open_visits WHERE ${where}`;
}

const and = (conditions: readonly string[]) =>
  conditions.map((condition) => ` AND ${condition}`).join('');

/** The time from which a query reads events, in Unix ms. */
export const readsFrom = ({ range, compare, now = Infinity }: Selected): number =>
  Math.min(range.from, compare?.from ?? range.from, now - visitorsNowMs);

/** Times in Unix ms. */
export interface VisitStarts {
  /** All open visits began at or after this time. */
  openFrom: number;
  /** All visits of which the query reads events began at or after this time. */
  readFrom: number;
}

/** @param query if it has no `buckets`, `bucket` must not be called. */
export function createSelection(
  query: Selected,
  { visit, event, contents }: QueryConditions,
  { openFrom, readFrom }: VisitStarts,
): Selection {
  const { siteId, range, buckets = [] } = query;
  const site = siteCondition(siteId);
  const bots = query.bots ? '' : ' AND NOT bot';
  const from = readsFrom(query);
  const [hasVisit, hasEvent] = [visit.length > 0, event.length > 0];
  const isMatching = hasEvent ? ['session_id IN (SELECT session_id FROM matching)'] : [];
  const isChosen = hasVisit ? ['session_id IN (SELECT session_id FROM chosen)'] : [];
  const contain = (withBots: boolean) => contentConditions(contents, withBots);
  const visitWhere = bots + and([...visit, ...isMatching, ...contain(query.bots)]);
  const eventWhere = (withBots: boolean) => and([...event, ...isChosen, ...contain(withBots)]);
  const eventRows = (columns: string, part: Range, more: string) =>
    `SELECT ${columns} FROM events
     WHERE ${site} AND ts >= ${ms(part.from)} AND ts < ${ms(part.to)}${more}`;
  return {
    visits(columns, part) {
      const began = `started >= ${ms(part.from)} AND started < ${ms(part.to)}`;
      const where = `${site} AND ${began}${visitWhere}`;
      return `SELECT ${columns} FROM visits WHERE ${where}
        UNION ALL SELECT ${columns} FROM open_visits WHERE ${where}`;
    },
    events: (columns, part, more = '') =>
      eventRows(columns, part, bots + eventWhere(query.bots) + more),
    allEvents: (columns, part, more = '') => eventRows(columns, part, bots + more),
    botEvents: (columns, part) => eventRows(columns, part, ` AND bot${eventWhere(true)}`),
    bucket: (column) => bucketIndex(column, buckets, range.to),
    preparation: [
      openVisits(siteId, openFrom),
      ...contents.map((content, index) => visitsContaining(siteId, readFrom, content.event, index)),
      ...(hasEvent ? [matchingVisits(siteId, from, event, bots)] : []),
      ...(hasVisit ? [chosenVisits(siteId, from, visit)] : []),
    ],
  };
}
