import type { Html } from '../../../../lib/text/html.ts';
import type { SiteView } from '../../../../areas/analytics/sites/schemas.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import {
  CheckField,
  Field,
  FieldSet,
  LinesField,
} from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { Viewer } from '../../request-context.ts';
import { texts } from '../texts/en.ts';
import { sitePath } from './site-path.ts';

const { settings: words } = texts.site;

type SiteSettings = SiteView['settings'];

const collectionFields = ({ hosts, shields }: SiteSettings): Html => (
  <>
    <LinesField id="hosts" label={words.hosts} hint={words.hostsHint} values={hosts} />
    <LinesField id="ips" label={words.ips} hint={words.ipsHint} values={shields.ips} />
    <LinesField
      id="countries"
      label={words.countries}
      hint={words.countriesHint}
      values={shields.countries}
    />
    <LinesField id="pages" label={words.pages} hint={words.pagesHint} values={shields.pages} />
  </>
);

const privacyFields = ({
  honour_gpc: gpc,
  honour_dnt: dnt,
  retention_days: days,
}: SiteSettings) => (
  <>
    <CheckField id="honour_gpc" label={words.gpc} isChecked={gpc} />
    <CheckField id="honour_dnt" label={words.dnt} isChecked={dnt} />
    <Field
      id="retention_days"
      label={words.retention}
      hint={words.retentionHint}
      type="number"
      value={days === null ? '' : String(days)}
      attributes={{ min: 30, max: 3650 }}
    />
  </>
);

/** What a site collects and how long it keeps it. Viewers see it, admins change it. */
export function settingsPanel({ site_id: site, settings }: SiteView, { isAdmin }: Viewer): Html {
  const fields = (
    <>
      <FieldSet legend={words.collection} isDisabled={!isAdmin}>
        {collectionFields(settings)}
      </FieldSet>
      <FieldSet legend={words.privacy} isDisabled={!isAdmin}>
        {privacyFields(settings)}
      </FieldSet>
    </>
  );
  return (
    <Card id="settings" title={words.heading}>
      {isAdmin ? (
        <ConsoleForm
          action={`${sitePath}/settings`}
          values={{ site_id: site }}
          submit={{ label: words.save }}
        >
          {fields}
        </ConsoleForm>
      ) : (
        fields
      )}
    </Card>
  );
}
