type Count = (p: { count: number; shown: string }) => string;

const counted =
  (one: string, many: string): Count =>
  ({ count, shown }) =>
    `${shown} ${count === 1 ? one : many}`;

export const texts = {
  kind: {
    weekly: 'Weekly report',
    monthly: 'Monthly report',
    weeklyTest: 'Weekly test report',
    monthlyTest: 'Monthly test report',
  },
  comparedWith: { weekly: 'the week before', monthly: 'the month before' },
  visitors: counted('visitor', 'visitors'),
  pageviews: counted('view', 'views'),
  events: counted('event', 'events'),
  headline: {
    none: 'No visitors',
    up: (p: { visitors: string; by: string }) => `${p.visitors}, up ${p.by}`,
    farUp: (p: { visitors: string; by: string }) => `${p.visitors}, up more than ${p.by}`,
    down: (p: { visitors: string; by: string }) => `${p.visitors}, down ${p.by}`,
    unchanged: (p: { visitors: string }) => `${p.visitors}, unchanged`,
  },
  preheader: {
    alone: (p: { days: string; views: string; visits: string }) =>
      `${p.days}: ${p.views} in ${p.visits}.`,
    withPages: (p: { days: string; views: string; visits: string; pages: string }) =>
      `${p.days}: ${p.views} in ${p.visits}. Top pages: ${p.pages}`,
  },
  visits: counted('visit', 'visits'),
  columns: { weekly: 'Visitors by day', monthly: 'Visitors by week' },
  lists: {
    pages: 'Top pages',
    sources: 'Top sources',
    countries: 'Top countries',
    events: 'Top events',
    direct: 'Direct',
    unknown: 'Unknown',
  },
};
