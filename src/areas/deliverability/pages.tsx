import { countryName } from '../../lib/places/country-names.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { formatDate, formatDateRange } from '../../platform/i18n/dates.ts';
import { plural } from '../../platform/i18n/plural.ts';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Field, Form, SelectField } from '../../platform/ui/components/form.tsx';
import { Facts, Table } from '../../platform/ui/components/table.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { formatCountries } from './postal-codes.ts';
import type { CheckView } from './schemas.ts';
import { texts } from './texts/en.ts';

const { services, result: results } = texts;

export interface DemoForm {
  zip: string;
  country: string;
}

/** Error messages by field. */
export type DemoErrors = Partial<Record<keyof DemoForm, string>>;

const countries = formatCountries
  .map((code) => [code, countryName(code) ?? code] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'en'));

const form = ({ zip, country }: DemoForm, errors: DemoErrors = {}): Html => (
  <Form action="/demo/deliverability/" submit={{ label: texts.form.submit, size: 'large' }}>
    <Field
      id="zip"
      label={texts.form.zip}
      hint={texts.form.zipHint}
      error={errors.zip}
      value={zip}
      isRequired
      maxLength={16}
      attributes={{
        autocomplete: 'postal-code',
        autocapitalize: 'characters',
        spellcheck: 'false',
      }}
    />
    <SelectField
      id="country"
      label={texts.form.country}
      error={errors.country}
      value={country}
      options={countries}
      attributes={{ autocomplete: 'country' }}
    />
  </Form>
);

type Service = Pick<
  CheckView['services'][number],
  'code' | 'min_days' | 'max_days' | 'price' | 'currency' | 'cod'
>;

const names = {
  standard: services.standard,
  express: services.express,
  same_day: services.sameDay,
} as const;

function dayText(min: number, max: number): string {
  if (max === 0) return services.today;
  if (min !== max) return services.dayRange({ min, max });
  return plural(max, { one: services.oneDay, other: services.days({ days: max }) });
}

const priceText = ({ price, currency }: Service): string =>
  price === null ? services.noPrice : services.price({ price, currency: currency ?? '' });

const servicesTable = (offered: readonly Service[]): Html => (
  <Table
    caption={services.title}
    columns={[
      { title: services.columns.service, text: ({ code }) => names[code] },
      {
        title: services.columns.time,
        text: ({ min_days: min, max_days: max }) => dayText(min, max),
      },
      { title: services.columns.price, text: priceText, isNumber: true },
      {
        title: services.columns.cod,
        text: ({ cod }) => (cod ? services.yes : services.no),
        isNumber: true,
      },
    ]}
    rows={offered}
    empty={<></>}
  />
);

/** What the facts of a result need of it. */
type Answer = Pick<
  CheckView,
  'normalized' | 'country' | 'known' | 'deliverable' | 'estimated_delivery'
> & { place: { city: string; region: string } | null; zone: { name: string } | null };

function existenceText({ known, place }: Answer): string {
  if (known === null) return results.unknownForCountry;
  if (!known) return results.doesNotExist;
  return place === null ? results.doesExist : results.doesExistIn(place);
}

function deliveryText({ deliverable, zone }: Answer): string {
  if (deliverable === null) return results.noZones;
  if (!deliverable) return results.noDelivery;
  return zone === null ? results.delivered : results.deliveredIn({ zone: zone.name });
}

function arrivalText({ earliest, latest }: { earliest: string; latest: string }): string {
  return earliest === latest ? formatDate(earliest) : formatDateRange(earliest, latest);
}

function facts(result: Answer): Html {
  const { normalized, country, estimated_delivery: estimate } = result;
  const format =
    normalized === null
      ? results.unknownForCountry
      : results.valid({ code: normalized, country: countryName(country) ?? country });
  const rows: readonly (readonly [name: string, text: string])[] = [
    [results.format, format],
    [results.exists, existenceText(result)],
    [results.delivery, deliveryText(result)],
    ...(estimate === null ? [] : [[results.arrival, arrivalText(estimate)] as const]),
  ];
  return <Facts facts={rows.map(([name, text]) => ({ name, value: escapeHtml(text) }))} />;
}

function noticeOf({ reason, detail }: CheckView): Html | undefined {
  if (reason === null) return undefined;
  if (reason !== 'no_zones') return <Banner text={detail} tone="warn" />;
  return <p class="hint">{rich(results.noZonesNotice, { link: guideLink })}</p>;
}

const guideLink = (inner: Html): Html => (
  <a href="/developer/guides/deliverability-and-geoip">{inner}</a>
);

const page = (title: string, body: Html, rest: Partial<SitePage> = {}): SitePage => ({
  title,
  body,
  ...rest,
});

/** A result as it may look, for people who have not typed anything yet. */
const example: Answer & { services: readonly Service[] } = {
  normalized: '94107',
  country: 'US',
  known: true,
  place: { city: 'San Francisco', region: 'CA' },
  deliverable: true,
  zone: { name: texts.example.zone },
  estimated_delivery: null,
  services: [
    { code: 'standard', min_days: 3, max_days: 5, price: '5.99', currency: 'USD', cod: true },
    { code: 'express', min_days: 1, max_days: 2, price: '12.99', currency: 'USD', cod: false },
  ],
};

/** The form, and beside it what it answers. */
const beside = (left: Html): Html => (
  <div class="columns check-columns">
    <div>{left}</div>
    <aside class="ways" aria-labelledby="example">
      <h2 id="example" safe>
        {texts.example.title}
      </h2>
      <p safe>{texts.example.note}</p>
      {facts(example)}
      {servicesTable(example.services)}
    </aside>
  </div>
);

/** The form for a postal code. */
export const demoPage: SitePage = page(
  texts.title,
  <>
    <p class="lead" safe>
      {texts.lead}
    </p>
    {beside(form({ zip: '', country: 'US' }))}
  </>,
  { path: '/demo/deliverability/', description: texts.description, isWide: true },
);

/** The form again, with its errors. */
export const demoAgainPage = (shown: DemoForm, errors: DemoErrors): SitePage =>
  page(
    texts.title,
    <>
      <p class="lead" safe>
        {texts.lead}
      </p>
      {beside(form(shown, errors))}
    </>,
    { isError: true, isWide: true },
  );

/** What is known of a code where no delivery zones are set up. */
const placeTitle = (code: string, place: CheckView['place']): string =>
  place === null ? results.wellFormed({ code }) : results.inPlace({ code, ...place });

/** The result, and the form for the next code. */
export function demoResultPage(shown: DemoForm, result: CheckView): SitePage {
  const { deliverable, normalized } = result;
  const code = normalized ?? shown.zip;
  const title =
    deliverable === null
      ? placeTitle(code, result.place)
      : deliverable
        ? results.served({ code })
        : results.notServed({ code });
  return page(
    title,
    <>
      {noticeOf(result)}
      {facts(result)}
      {servicesTable(result.services)}
      <h2 safe>{texts.form.again}</h2>
      {form(shown)}
    </>,
  );
}
