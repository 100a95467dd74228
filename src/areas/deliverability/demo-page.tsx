import { countryName } from '../../lib/places/country-names.ts';
import { type Attributes, type Html } from '../../lib/text/html.ts';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { formatCountries } from './postal-codes.ts';
import type { CheckView } from './schemas.ts';

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
      <label for="zip">Postal code</label>
      <p class="hint" id="zip-hint">
        For instance 94107, SW1A 1AA or 1012 AB.
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
      <label for="country">Country</label>
      <p class="hint" id="country-hint">
        Countries whose postal codes are known.
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
      <button type="submit">Check</button>
    </form>
  );
}

const names = { standard: 'Standard', express: 'Express', same_day: 'Same day' } as const;
const dayText = (min: number, max: number): string =>
  max === 0 ? 'today' : min === max ? `${max} day${max === 1 ? '' : 's'}` : `${min} to ${max} days`;

function serviceRow(service: CheckView['services'][number]): Html {
  const { code, min_days: min, max_days: max, price, currency, cod } = service;
  const priceText = price === null ? 'not given' : `${price} ${currency ?? ''}`;
  return (
    <tr>
      <th scope="row" safe>
        {names[code]}
      </th>
      <td safe>{dayText(min, max)}</td>
      <td safe>{priceText}</td>
      <td safe>{cod ? 'yes' : 'no'}</td>
    </tr>
  );
}

function servicesTable(services: CheckView['services']): Html | undefined {
  if (services.length === 0) return undefined;
  return (
    <div class="table" role="region" aria-label="Services" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Service</th>
            <th scope="col">Takes</th>
            <th scope="col">Price</th>
            <th scope="col">Pay on delivery</th>
          </tr>
        </thead>
        <tbody>{services.map(serviceRow)}</tbody>
      </table>
    </div>
  );
}

function existenceText({ known, place }: CheckView): string {
  if (known === null) return 'not known for this country';
  if (!known) return 'not as far as is known';
  return `yes${place === null ? '' : `: ${place.city}, ${place.region}`}`;
}

function servedText({ deliverable, zone }: CheckView): string {
  if (deliverable === null) return 'can not be said yet';
  if (!deliverable) return 'no';
  return `yes${zone === null ? '' : `: ${zone.name}`}`;
}

function arrivalText({ earliest, latest }: { earliest: string; latest: string }): string {
  return earliest === latest ? earliest : `${earliest} to ${latest}`;
}

function facts(result: CheckView): Html {
  const { normalized, country, estimated_delivery: estimate } = result;
  const format =
    normalized === null
      ? 'not known for this country'
      : `yes: ${normalized}, ${countryName(country) ?? country}`;
  const rows = [
    ['Well-formed', format],
    ['Exists', existenceText(result)],
    ['Served', servedText(result)],
    ...(estimate === null ? [] : [['Arrives', arrivalText(estimate)]]),
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
  return (
    <p class="notice">
      No delivery zones are set up yet, so nobody can say what is served. Admins add them by the API
      or from a CSV file: <a href="/developer/guides/deliverability-and-geoip">guide</a>.
    </p>
  );
}

const page = (title: string, body: Html, rest: Partial<SitePage> = {}): SitePage => ({
  title,
  styles: ['form.css'],
  body,
  ...rest,
});

/** The form for a postal code. */
export const demoPage: SitePage = page(
  'Check a postal code',
  <>
    <p class="lead">
      Is it written as postal codes of its country are, does it exist, and is anything delivered
      there?
    </p>
    {form({ zip: '', country: 'US' })}
  </>,
  {
    path: '/demo/deliverability/',
    description:
      'Check whether a postal code is well-formed, whether it exists, and whether parcels are ' +
      'delivered there.',
  },
);

/** The form again, with its errors. */
export const demoAgainPage = (shown: DemoForm, errors: DemoErrors): SitePage =>
  page('Check a postal code', form(shown, errors), { isError: true });

/** The result, and the form for the next code. */
export function demoResultPage(shown: DemoForm, result: CheckView): SitePage {
  const { deliverable, normalized } = result;
  const served = deliverable === true ? 'is served' : 'is not served';
  const title = `${normalized ?? shown.zip} ${deliverable === null ? 'is well-formed' : served}`;
  return page(
    title,
    <>
      {noticeOf(result)}
      {facts(result)}
      {servicesTable(result.services)}
      <h2>Check another one</h2>
      {form(shown)}
    </>,
  );
}
