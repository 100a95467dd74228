/** The texts of the page that checks a postal code. */
export const texts = {
  title: 'Check a postal code',
  description:
    'Check the format of a postal code, whether it exists, and whether parcels are delivered ' +
    'there.',
  lead: 'Check its format, whether it exists, and whether we deliver there.',
  form: {
    zip: 'Postal code',
    zipHint: 'For example 94107 (United States), SW1A 1AA (United Kingdom) or 10115 (Germany).',
    country: 'Country',
    submit: 'Check postal code',
    again: 'Check another postal code',
  },
  example: {
    title: 'Example: 94107, United States',
    note: 'This is what a result looks like where a delivery zone covers the code.',
    zone: 'West Coast',
  },
  errors: {
    country: 'Select a country from the list.',
    zipMissing: 'Enter a postal code.',
    zip:
      'This doesn’t match the postal code format for the selected country. Check the code and ' +
      'the country.',
  },
  result: {
    served: (p: { code: string }) => `Delivery to ${p.code} is available`,
    notServed: (p: { code: string }) => `No delivery to ${p.code}`,
    inPlace: (p: { code: string; city: string; region: string }) =>
      `${p.code} is in ${p.city}, ${p.region}`,
    wellFormed: (p: { code: string }) => `${p.code} has a valid format`,
    format: 'Format',
    exists: 'Exists',
    delivery: 'Delivery',
    arrival: 'Estimated arrival',
    unknownForCountry: 'Not checked',
    valid: (p: { code: string; country: string }) => `Valid: ${p.code}, ${p.country}`,
    doesNotExist: 'Not found in our data',
    doesExist: 'Yes',
    doesExistIn: (p: { city: string; region: string }) => `Yes: ${p.city}, ${p.region}`,
    noZones: 'Unknown: no delivery zones are set up',
    noDelivery: 'No',
    delivered: 'Yes',
    deliveredIn: (p: { zone: string }) => `Yes: ${p.zone}`,
    noZonesNotice:
      'No delivery zones are set up yet, so we can’t tell where parcels are delivered. ' +
      'Admins can add zones through the API or from a CSV file: see the <link>guide</link>.',
  },
  services: {
    title: 'Services',
    columns: { service: 'Service', time: 'Delivery time', price: 'Price', cod: 'Cash on delivery' },
    standard: 'Standard',
    express: 'Express',
    sameDay: 'Same day',
    today: 'Today',
    oneDay: '1 day',
    days: (p: { days: number }) => `${p.days} days`,
    dayRange: (p: { min: number; max: number }) => `${p.min} to ${p.max} days`,
    price: (p: { price: string; currency: string }) => `${p.price} ${p.currency}`.trim(),
    noPrice: 'Not specified',
    yes: 'Yes',
    no: 'No',
  },
};
