import type { SiteView } from '../../../../areas/analytics/sites/schemas.ts';
import { countries } from '../../../../lib/places/countries.ts';
import { countryName } from '../../../../lib/places/country-names.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { FieldSet, SelectField } from '../../../../platform/ui/components/form.tsx';
import { texts } from '../texts/en.ts';
import { editable, fieldsFor } from './settings-panel.tsx';
import { sitePath } from './site-path.ts';

const words = texts.site.excluded;

/** Adds the address of the one who looks, together with everything else in the form. */
const ownAddress = (ip: string, excluded: readonly string[]): Html =>
  excluded.includes(ip) ? (
    <p class="hint own-address">{escapeHtml(words.ownExcluded({ ip }))}</p>
  ) : (
    <p class="own-address">
      <Button
        label={words.excludeOwn}
        size="small"
        icon="plus"
        attributes={{ name: 'add_ip', value: ip }}
      />
      <span class="hint">{escapeHtml(words.own({ ip }))}</span>
    </p>
  );

const addCountry = (excluded: readonly string[]): Html => (
  <SelectField
    id="add-country"
    name="add_country"
    label={words.addCountry}
    value=""
    options={[
      ['', words.chooseCountry],
      ...countries().filter(([code]) => !excluded.includes(code)),
    ]}
  />
);

interface Reader {
  /** Others can only read. */
  isAdmin: boolean;
  ip: string | undefined;
}

/** Whose events a site does not take. */
export function excludedPanel(site: SiteView, { isAdmin, ip }: Reader): Html {
  const { shields } = site.settings;
  const field = fieldsFor(site);
  const names = shields.countries.map((code) => countryName(code) ?? code);
  const fields = (
    <FieldSet legend={words.heading} isLegendHidden isDisabled={!isAdmin}>
      {field('shields.ips', { isLines: true })}
      {isAdmin && ip !== undefined && ownAddress(ip, shields.ips)}
      {field('shields.countries', { isLines: true, value: names })}
      {isAdmin && addCountry(shields.countries)}
      {field('shields.pages', { isLines: true })}
    </FieldSet>
  );
  return (
    <Card id="excluded" title={texts.site.parts.excluded} hint={words.hint}>
      {editable(site.site_id, `${sitePath}/excluded`, fields, isAdmin)}
    </Card>
  );
}
