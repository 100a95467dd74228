export const texts = {
  totals: {
    visitors: 'Visitors',
    visits: 'Visits',
    pageviews: 'Page views',
    bounceRate: 'Bounce rate',
    visitDuration: 'Visit duration',
    viewsPerVisit: 'Views per visit',
  },
  devices: {
    console: 'Game console',
    desktop: 'Desktop',
    mobile: 'Mobile',
    tablet: 'Tablet',
    tv: 'TV',
    unknown: 'Unknown',
    wearable: 'Wearable',
  },
};
