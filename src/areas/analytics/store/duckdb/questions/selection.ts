import { bucketIndex } from '../sql/buckets.ts';
import type { Conditions } from './conditions.ts';
import type { DashboardQuestion, Range, SelectionQuestion } from '../../questions.ts';
import { visitSelect } from '../schema/schema.ts';
import { ofSites } from '../sql/site-condition.ts';
import { timeLiteral as ms } from '../sql/session.ts';

/** How long somebody counts as there after an event. */
export const visitorsNowMs = 5 * 60_000;

/** The rows of `visits` and `events` that a dashboard is about, as SQL. */
export interface Selection {
  /** SELECT of `columns` from the closed and open visits that began in the range. */
  visits: (columns: string, range: Range) => string;
  /** SELECT of `columns` from the events of the range; `more` narrows it. */
  events: (columns: string, range: Range, more?: string) => string;
  /** As `events`, of bots, whether bots are counted or not. */
  botEvents: (columns: string, range: Range) => string;
  /** Index of the bucket of a time column. */
  bucket: (column: string) => string;
  /** Statements that make the temporary tables it reads. */
  preparation: string[];
}

/** Visits that are not in `visits` yet, made from their events. */
function openVisits(siteId: SelectionQuestion['siteId'], openFrom: number): string {
  const from = ms(openFrom);
  return `CREATE OR REPLACE TEMP TABLE open_visits AS ${visitSelect(`events e WHERE e.${ofSites(siteId)} AND e.session_id <> 0 AND e.ts >= ${from}
    AND e.session_id NOT IN (SELECT session_id FROM visits WHERE ${ofSites(siteId)} AND ended >= ${from})`)}`;
}

function matchingVisits(
  siteId: SelectionQuestion['siteId'],
  from: number,
  conditions: Conditions,
  bots: string,
): string {
  return `CREATE OR REPLACE TEMP TABLE matching AS SELECT DISTINCT session_id FROM events
    WHERE ${ofSites(siteId)} AND ts >= ${ms(from)} AND session_id <> 0${bots} AND ${conditions.event.join(' AND ')}`;
}

/** Visits that meet the conditions on visits, whenever they began: for the events of the range. */
function chosenVisits(
  siteId: SelectionQuestion['siteId'],
  from: number,
  conditions: Conditions,
): string {
  const where = `${ofSites(siteId)} AND ended >= ${ms(from)} AND ${conditions.visit.join(' AND ')}`;
  return `CREATE OR REPLACE TEMP TABLE chosen AS SELECT session_id FROM visits WHERE ${where} UNION ALL SELECT session_id FROM open_visits WHERE ${where}`;
}

/**
 * @param question without `buckets`, `bucket` must not be asked.
 * @param openFrom no visit that is still open began before this (Unix ms).
 */
export function createSelection(
  question: SelectionQuestion & Partial<Pick<DashboardQuestion, 'compare' | 'buckets' | 'now'>>,
  conditions: Conditions,
  openFrom: number,
): Selection {
  const { siteId, range, compare, buckets = [], now = Infinity } = question;
  const bots = question.bots ? '' : ' AND NOT bot';
  const from = Math.min(range.from, compare?.from ?? range.from, now - visitorsNowMs);
  const hasVisit = conditions.visit.length > 0;
  const hasEvent = conditions.event.length > 0;
  const visitWhere = [
    ...conditions.visit,
    ...(hasEvent ? ['session_id IN (SELECT session_id FROM matching)'] : []),
  ];
  const eventWhere = [
    ...conditions.event,
    ...(hasVisit ? ['session_id IN (SELECT session_id FROM chosen)'] : []),
  ];
  const all = (conditionsText: string[]) =>
    conditionsText.map((condition) => ` AND ${condition}`).join('');
  const eventRows = (columns: string, { from: a, to: b }: Range, more: string) =>
    `SELECT ${columns} FROM events WHERE ${ofSites(siteId)} AND ts >= ${ms(a)} AND ts < ${ms(b)}${more}`;
  return {
    visits(columns, { from: a, to: b }) {
      const where = `${ofSites(siteId)} AND started >= ${ms(a)} AND started < ${ms(b)}${bots}${all(visitWhere)}`;
      return `SELECT ${columns} FROM visits WHERE ${where} UNION ALL SELECT ${columns} FROM open_visits WHERE ${where}`;
    },
    events: (columns, part, more = '') => eventRows(columns, part, bots + all(eventWhere) + more),
    botEvents: (columns, part) => eventRows(columns, part, ` AND bot${all(eventWhere)}`),
    bucket: (column) => bucketIndex(column, buckets, range.to),
    preparation: [
      openVisits(siteId, openFrom),
      ...(hasEvent ? [matchingVisits(siteId, from, conditions, bots)] : []),
      ...(hasVisit ? [chosenVisits(siteId, from, conditions)] : []),
    ],
  };
}
