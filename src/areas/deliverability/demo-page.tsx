import { countryName } from '../../lib/places/country-names.ts';
import type { Attributes, Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { formatDate, formatDateRange } from '../../platform/i18n/dates.ts';
import { plural } from '../../platform/i18n/plural.ts';
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
  .map((code) => ({ code, name: countryName(code) ?? code }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));

const marks = (name: keyof DemoForm, error: string | undefined): Attributes =>
  error === undefined
    ? { 'aria-describedby': `${name}-hint` }
    : { 'aria-describedby': `${name}-error ${name}-hint`, 'aria-invalid': 'true' };
const errorOf = (name: keyof DemoForm, error: string | undefined): Html | undefined =>
  error === undefined ? undefined : (
    <p class="error" id={`${name}-error`} safe>
      {error}
    </p>
  );

const option = (code: string, name: string, isSelected: boolean): Html => (
  <option value={code} {...(isSelected ? { selected: true } : undefined)} safe>
    {name}
  </option>
);

function form({ zip, country }: DemoForm, errors: DemoErrors = {}): Html {
  return (
    <form class="form" method="post" action="/demo/deliverability/">
      <label for="zip" safe>
        {texts.form.zip}
      </label>
      <p class="hint" id="zip-hint" safe>
        {texts.form.zipHint}
      </p>
      {errorOf('zip', errors.zip)}
      <input
        id="zip"
        name="zip"
        type="text"
        value={zip}
        required
        maxlength="16"
        autocomplete="postal-code"
        autocapitalize="characters"
        spellcheck="false"
        {...marks('zip', errors.zip)}
      />{' '}
      <label for="country" safe>
        {texts.form.country}
      </label>
      <p class="hint" id="country-hint" safe>
        {texts.form.countryHint}
      </p>
      {errorOf('country', errors.country)}
      <select
        id="country"
        name="country"
        autocomplete="country"
        {...marks('country', errors.country)}
      >
        {countries.map(({ code, name }) => option(code, name, code === country))}
      </select>{' '}
      <button type="submit" safe>
        {texts.form.submit}
      </button>
    </form>
  );
}

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

function serviceRow(service: CheckView['services'][number]): Html {
  const { code, min_days: min, max_days: max, price, currency, cod } = service;
  const priceText =
    price === null ? services.noPrice : services.price({ price, currency: currency ?? '' });
  return (
    <tr>
      <th scope="row" safe>
        {names[code]}
      </th>
      <td safe>{dayText(min, max)}</td>
      <td safe>{priceText}</td>
      <td safe>{cod ? services.yes : services.no}</td>
    </tr>
  );
}

function servicesTable(offered: CheckView['services']): Html | undefined {
  if (offered.length === 0) return undefined;
  return (
    <div class="table" role="region" aria-label={services.title} tabindex="0">
      <table>
        <thead>
          <tr>
            {Object.values(services.columns).map((column) => (
              <th scope="col" safe>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{offered.map(serviceRow)}</tbody>
      </table>
    </div>
  );
}

function existenceText({ known, place }: CheckView): string {
  if (known === null) return results.unknownForCountry;
  if (!known) return results.doesNotExist;
  return place === null ? results.doesExist : results.doesExistIn(place);
}

function deliveryText({ deliverable, zone }: CheckView): string {
  if (deliverable === null) return results.noZones;
  if (!deliverable) return results.noDelivery;
  return zone === null ? results.delivered : results.deliveredIn({ zone: zone.name });
}

function arrivalText({ earliest, latest }: { earliest: string; latest: string }): string {
  return earliest === latest ? formatDate(earliest) : formatDateRange(earliest, latest);
}

function facts(result: CheckView): Html {
  const { normalized, country, estimated_delivery: estimate } = result;
  const format =
    normalized === null
      ? results.unknownForCountry
      : results.valid({ code: normalized, country: countryName(country) ?? country });
  const rows = [
    [results.format, format],
    [results.exists, existenceText(result)],
    [results.delivery, deliveryText(result)],
    ...(estimate === null ? [] : [[results.arrival, arrivalText(estimate)]]),
  ];
  const items = rows.map(([term, text]) => (
    <div>
      <dt safe>{term}</dt>
      <dd safe>{text}</dd>
    </div>
  ));
  return <dl>{items}</dl>;
}

function noticeOf({ reason, detail }: CheckView): Html | undefined {
  if (reason === null) return undefined;
  if (reason !== 'no_zones')
    return (
      <p class="notice" safe>
        {detail}
      </p>
    );
  return <p class="notice">{rich(results.noZonesNotice, { link: guideLink })}</p>;
}

const guideLink = (inner: Html): Html => (
  <a href="/developer/guides/deliverability-and-geoip">{inner}</a>
);

const page = (title: string, body: Html, rest: Partial<SitePage> = {}): SitePage => ({
  title,
  body,
  ...rest,
});

/** The form for a postal code. */
export const demoPage: SitePage = page(
  texts.title,
  <>
    <p class="lead" safe>
      {texts.lead}
    </p>
    {form({ zip: '', country: 'US' })}
  </>,
  { path: '/demo/deliverability/', description: texts.description },
);

/** The form again, with its errors. */
export const demoAgainPage = (shown: DemoForm, errors: DemoErrors): SitePage =>
  page(texts.title, form(shown, errors), { isError: true });

/** The result, and the form for the next code. */
export function demoResultPage(shown: DemoForm, result: CheckView): SitePage {
  const { deliverable, normalized } = result;
  const code = normalized ?? shown.zip;
  const title =
    deliverable === null
      ? results.wellFormed({ code })
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
