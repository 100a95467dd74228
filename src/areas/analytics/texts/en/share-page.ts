import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { plural } from '../../../../platform/i18n/plural.ts';

export const texts = {
  introPrevious: (p: { name: string; dates: string; timezone: string }) =>
    `${p.name}. ${p.dates} (${p.timezone}), compared with the previous period.`,
  introYear: (p: { name: string; dates: string; timezone: string }) =>
    `${p.name}. ${p.dates} (${p.timezone}), compared with the previous year.`,
  filtered: (p: { filters: string }) => `Filtered by: ${p.filters}.`,
  clearFilters: 'Clear filters',
  periods: {
    label: 'Period',
    '7d': '7 days',
    '30d': '30 days',
    '90d': '90 days',
    '12mo': '12 months',
  },
  updated: 'Updated <time></time>',
  totals: 'Totals',
  traffic: 'Traffic',
  trafficCaption: {
    hour: 'Visitors and page views by hour',
    day: 'Visitors and page views by day',
    week: 'Visitors and page views by week',
    month: 'Visitors and page views by month',
  },
  /** The name of a table, under its title. */
  ranking: (p: { title: string }) => `${p.title} by visitors`,
  empty: 'No data for this period.',
  unknown: 'Unknown',
  direct: 'Direct',
  visitors: 'Visitors',
  visits: 'Visits',
  pageviews: 'Page views',
  pages: 'Pages',
  page: 'Page',
  sources: 'Sources',
  source: 'Source',
  countries: 'Countries',
  country: 'Country',
  devices: 'Devices',
  device: 'Device',
  events: 'Events',
  event: 'Event',
  goals: 'Goals',
  goal: 'Goal',
  goalsCaption: 'Goals by visitors who completed them',
  conversionRate: 'Conversion rate',
  map: 'Map',
  onMap: (p: { country: string; visitors: number }) =>
    plural(p.visitors, {
      one: `${p.country}: 1 visitor`,
      other: `${p.country}: ${formatNumber(p.visitors)} visitors`,
    }),
  badQuery:
    'You can’t filter shared figures this way. Use up to 10 filters with the operators is, ' +
    'is_not, contains and contains_not, or open the original link.',
  toStart: 'Go to start page',
  password: {
    title: 'Enter password',
    intro: 'This link is password-protected.',
    label: 'Password',
    submit: 'View figures',
    wrong: 'Wrong password. Try again, or ask the person who shared the link.',
  },
};
