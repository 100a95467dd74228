import { countryName } from '../../lib/places/country-names.ts';
import { html, type Html } from '../../lib/text/html.ts';
import { formStylePath } from '../../platform/ui/form-style.ts';
import type { SitePage } from '../../platform/ui/pages.ts';
import { formatCountries } from './postal-codes.ts';
import type { CheckView } from './schemas.ts';

export interface DemoForm {
  zip: string;
  country: string;
}

/** What is wrong, by the field that it is wrong with. */
export type DemoErrors = Partial<Record<keyof DemoForm, string>>;

const countries = formatCountries
  .map((code) => ({ code, name: countryName(code) ?? code }))
  .sort((a, b) => a.name.localeCompare(b.name, 'en'));
const head = html`\n<link rel="stylesheet" href="${formStylePath}">`;

const marks = (name: keyof DemoForm, error: string | undefined): Html =>
  html`aria-describedby="${error === undefined ? '' : `${name}-error `}${name}-hint"${error === undefined ? undefined : html` aria-invalid="true"`}`;
const errorOf = (name: keyof DemoForm, error: string | undefined): Html | undefined =>
  error === undefined ? undefined : html`<p class="error" id="${name}-error">${error}</p>\n`;

function form({ zip, country }: DemoForm, errors: DemoErrors = {}): Html {
  return html`<form class="form" method="post" action="/demo/deliverability/">
<label for="zip">Postal code</label>
<p class="hint" id="zip-hint">For instance 94107, SW1A 1AA or 1012 AB.</p>
${errorOf('zip', errors.zip)}<input id="zip" name="zip" type="text" value="${zip}" required maxlength="16" autocomplete="postal-code" autocapitalize="characters" spellcheck="false" ${marks('zip', errors.zip)}>
<label for="country">Country</label>
<p class="hint" id="country-hint">Countries whose postal codes are known.</p>
${errorOf('country', errors.country)}<select id="country" name="country" autocomplete="country" ${marks('country', errors.country)}>
${countries.map(({ code, name }) => html`<option value="${code}"${code === country ? html` selected` : undefined}>${name}</option>\n`)}</select>
<button type="submit">Check</button>
</form>`;
}

const names = { standard: 'Standard', express: 'Express', same_day: 'Same day' } as const;
const dayText = (min: number, max: number): string =>
  max === 0 ? 'today' : min === max ? `${max} day${max === 1 ? '' : 's'}` : `${min} to ${max} days`;

function servicesTable(services: CheckView['services']): Html | undefined {
  if (services.length === 0) return undefined;
  const rows = services.map(
    ({ code, min_days: min, max_days: max, price, currency, cod }) =>
      html`<tr><th scope="row">${names[code]}</th><td>${dayText(min, max)}</td><td>${price === null ? 'not given' : `${price} ${currency ?? ''}`}</td><td>${cod ? 'yes' : 'no'}</td></tr>\n`,
  );
  return html`<div class="table" role="region" aria-label="Services" tabindex="0"><table>
<thead><tr><th scope="col">Service</th><th scope="col">Takes</th><th scope="col">Price</th><th scope="col">Pay on delivery</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

function facts({
  normalized,
  country,
  known,
  place,
  deliverable,
  zone,
  estimated_delivery: estimate,
}: CheckView): Html {
  const existence =
    known === null
      ? 'not known for this country'
      : known
        ? `yes${place === null ? '' : `: ${place.city}, ${place.region}`}`
        : 'not as far as is known';
  const served =
    deliverable === null
      ? 'can not be said yet'
      : deliverable
        ? `yes${zone === null ? '' : `: ${zone.name}`}`
        : 'no';
  const rows = [
    [
      'Well-formed',
      normalized === null
        ? 'not known for this country'
        : `yes: ${normalized}, ${countryName(country) ?? country}`,
    ],
    ['Exists', existence],
    ['Served', served],
    ...(estimate === null
      ? []
      : [
          [
            'Arrives',
            estimate.earliest === estimate.latest
              ? estimate.earliest
              : `${estimate.earliest} to ${estimate.latest}`,
          ],
        ]),
  ];
  return html`<dl>${rows.map(([term, text]) => html`<div><dt>${term}</dt><dd>${text}</dd></div>`)}</dl>`;
}

const helpOf = ({ reason, detail }: CheckView): Html | undefined =>
  reason === null
    ? undefined
    : reason === 'no_zones'
      ? html`<p class="notice">No delivery zones are set up yet, so nobody can say what is served. Admins add them by the API or from a CSV file: <a href="/developer/guides/deliverability-and-geoip">guide</a>.</p>`
      : html`<p class="notice">${detail}</p>`;

const page = (title: string, body: Html, rest: Partial<SitePage> = {}): SitePage => ({
  title,
  head,
  body,
  ...rest,
});

/** Asks for a postal code. */
export const demoPage: SitePage = page(
  'Check a postal code',
  html`<p class="lead">Is it written as postal codes of its country are, does it exist, and is anything delivered there?</p>\n${form({ zip: '', country: 'US' })}`,
  {
    path: '/demo/deliverability/',
    description:
      'Check whether a postal code is well-formed, whether it exists, and whether parcels are delivered there.',
  },
);

/** The form again, with what was wrong. */
export const demoAgainPage = (shown: DemoForm, errors: DemoErrors): SitePage =>
  page('Check a postal code', form(shown, errors), { isError: true });

/** What is known of the code, and the form for the next. */
export function demoResultPage(shown: DemoForm, result: CheckView): SitePage {
  const title =
    result.deliverable === true
      ? `${result.normalized ?? shown.zip} is served`
      : result.deliverable === false
        ? `${result.normalized ?? shown.zip} is not served`
        : `${result.normalized ?? shown.zip} is well-formed`;
  return page(
    title,
    html`${helpOf(result)}${facts(result)}${servicesTable(result.services)}\n<h2>Check another one</h2>\n${form(shown)}`,
  );
}
