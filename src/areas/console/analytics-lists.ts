import { countryName } from '../../lib/country-names.ts';
import { html, type Html } from '../../lib/html.ts';
import type { DashboardView } from '../analytics/schemas.dashboard.ts';
import { addressOf, type AnalyticsAddress, narrowed } from './analytics-address.ts';
import { type BarRow, barTable } from './chart.ts';
import { count, decimal, duration, percent } from './numbers.ts';
import { emptyState, panel } from './parts.ts';

type VisitRow = DashboardView['sources'][number];

interface VisitList {
  rows: readonly VisitRow[];
  /** What its rows are called. */
  heading: string;
  dimension: string;
  /** What a row without a value is called. */
  none?: string;
  nameOf?: (value: string) => string;
}

const nothing = (): Html => emptyState({ text: 'Nothing in this period.' });

function visitTable({ rows, heading, dimension, none = 'Not known', nameOf = (value) => value }: VisitList, address: AnalyticsAddress): Html {
  const bars = rows.map(({ value, visitors, bounce_rate: bounces }): BarRow => ({
    text: value === null ? none : nameOf(value), href: addressOf(narrowed(address, dimension, value)), value: visitors, cells: [count(visitors), percent(bounces)],
  }));
  return bars.length === 0 ? nothing() : barTable({ caption: `${heading} by visitors`, heading, columns: ['Visitors', 'Bounces'], rows: bars });
}

function pageTable({ pages }: DashboardView, address: AnalyticsAddress): Html {
  const rows = pages.map(({ value, visitors, pageviews, engaged_seconds: engaged, scroll_depth: depth }): BarRow =>
    ({ text: value, href: addressOf(narrowed(address, 'page', value)), value: pageviews, cells: [count(pageviews), count(visitors), duration(engaged), depth === null ? '–' : `${decimal(depth)} %`] }));
  return rows.length === 0 ? nothing() : barTable({ caption: 'Pages by views', heading: 'Page', columns: ['Views', 'Visitors', 'Engaged', 'Scrolled'], rows });
}

function eventTable({ events }: DashboardView, address: AnalyticsAddress): Html {
  const rows = events.map(({ value, visitors, events: times, conversion_rate: rate }): BarRow => ({ text: value, href: addressOf(narrowed(address, 'event', value)), value: times, cells: [count(times), count(visitors), percent(rate)] }));
  if (rows.length > 0) return barTable({ caption: 'Events by number', heading: 'Event', columns: ['Events', 'Visitors', 'Conversion'], rows });
  return emptyState({ text: 'No events of your own yet. On a page with the script:', call: "svc('signup', { props: { plan: 'pro' } })", link: { href: '/developer/guides/website-script', text: 'Guide to the script' } });
}

const isCode = (value: string): string => countryName(value) ?? value;
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });

function languageOf(value: string): string {
  try {
    return languages.of(value) ?? value;
  } catch {
    return value;
  }
}

/** Several lists of which one is open; opening another closes it, also without a script. */
const group = (name: string, lists: readonly (readonly [title: string, body: Html])[]): Html =>
  html`${lists.map(([title, body], at) => html`<details name="${name}"${at === 0 ? html` open` : undefined}><summary>${title}</summary>${body}</details>\n`)}`;

/** The top values of every dimension; a click narrows the view to one. */
export function breakdownPanels(view: DashboardView, address: AnalyticsAddress): Html {
  const list = (parts: VisitList) => visitTable(parts, address);
  const ofPages = group('pages', [
    ['Top pages', pageTable(view, address)],
    ['Entry pages', list({ rows: view.entry_pages, heading: 'Entry page', dimension: 'entry_page' })],
    ['Exit pages', list({ rows: view.exit_pages, heading: 'Exit page', dimension: 'exit_page' })],
  ]);
  const ofSources = group('sources', [
    ['Sources', list({ rows: view.sources, heading: 'Source', dimension: 'source', none: 'Direct' })],
    ['Channels', list({ rows: view.channels, heading: 'Channel', dimension: 'channel' })],
    ['Referrers', list({ rows: view.referrers, heading: 'Referrer', dimension: 'referrer', none: 'Direct' })],
    ['Campaigns', list({ rows: view.campaigns, heading: 'Campaign', dimension: 'utm_campaign' })],
  ]);
  const ofPlaces = group('places', [
    ['Countries', list({ rows: view.countries, heading: 'Country', dimension: 'country', nameOf: isCode })],
    ['Languages', list({ rows: view.languages, heading: 'Language', dimension: 'language', nameOf: languageOf })],
  ]);
  const ofDevices = group('devices', [
    ['Devices', list({ rows: view.devices, heading: 'Device', dimension: 'device' })],
    ['Browsers', list({ rows: view.browsers, heading: 'Browser', dimension: 'browser' })],
    ['Systems', list({ rows: view.operating_systems, heading: 'System', dimension: 'os' })],
  ]);
  return html`<div class="columns">${panel({ id: 'pages', title: 'Pages', body: ofPages, live: true })}${panel({ id: 'sources', title: 'Where they come from', body: ofSources, live: true })}</div>
<div class="columns">${panel({ id: 'places', title: 'Places and languages', body: ofPlaces, live: true })}${panel({ id: 'programs', title: 'Devices', body: ofDevices, live: true })}</div>
${panel({ id: 'events', title: 'Events', body: eventTable(view, address), live: true })}`;
}
