import { plural } from '../../../../../platform/i18n/plural.ts';
import { cohortUnits } from './units.ts';

export const live = {
  title: (p: { site: string }) => `${p.site}, realtime`,
  totals: 'Right now',
  visitorsNow: 'Visitors now',
  lastFiveMinutes: 'in the last 5 minutes',
  visitors: 'Visitors',
  pageview: 'Page view',
  pageviews: 'Page views',
  events: 'Events',
  lastHalfHour: 'in the last 30 minutes',
  page: 'Page',
  pages: 'Pages',
  country: 'Country',
  countries: 'Countries',
  source: 'Source',
  sources: 'Sources',
  unknown: 'Unknown',
  direct: 'Direct',
  caption: (p: { heading: string }) => `${p.heading}, last 30 minutes`,
  empty: 'No visitors in the last 30 minutes.',
  minutes: {
    title: 'Visitors by minute',
    most: (p: { visitors: number }) =>
      `${plural(p.visitors, { one: '1 visitor', other: `${p.visitors} visitors` })} ` +
      'at most in one minute.',
    axis: ['30 min ago', '15 min ago', 'now'],
    label: (p: { most: number }) => `Visitors in each of the last 30 minutes, ${p.most} at most`,
    bar: (p: { visitors: number; ago: number }) =>
      `${plural(p.visitors, { one: '1 visitor', other: `${p.visitors} visitors` })}, ` +
      (p.ago === 0 ? 'in the last minute' : `${p.ago} min ago`),
  },
  feed: {
    title: 'Live events',
    label: 'Events, newest first',
    hint: (p: { zone: string }) =>
      `Times are in ${p.zone}. Bots are left out, and bursts are shown as a count.`,
    noScript: 'Live events need JavaScript. The figures on this page are from when you loaded it.',
  },
};

export const retention = {
  title: (p: { site: string }) => `${p.site}, retention`,
  units: { label: 'Cohorts by', day: 'Days', week: 'Weeks', month: 'Months' },
  heading: 'Returning visitors',
  hint: (p: { unit: keyof typeof cohortUnits }) =>
    `Identified visitors only: others can’t be recognized on another day. ` +
    `Figures marked … cover the current ${cohortUnits[p.unit]} so far and may still rise.`,
  empty: 'No identified visitors yet. Identify people after they sign in:',
  guide: 'Website script guide',
  caption: (p: { unit: keyof typeof cohortUnits }) =>
    `Share of visitors who returned, by the ${cohortUnits[p.unit]} of their first visit`,
  firstSeen: (p: { unit: keyof typeof cohortUnits }) =>
    ({ day: 'First day', week: 'First week', month: 'First month' })[p.unit],
  visitors: 'Visitors',
  unit: (p: { unit: keyof typeof cohortUnits; at: number }) =>
    `${{ day: 'Day', week: 'Week', month: 'Month' }[p.unit]} ${p.at}`,
  average: 'Average',
  soFar: 'so far',
  soFarTitle: (p: { visitors: string }) => `${p.visitors} so far; the period isn’t over`,
};
