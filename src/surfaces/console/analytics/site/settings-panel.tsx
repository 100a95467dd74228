import type { Html } from '../../../../lib/text/html.ts';
import { type SiteView, UpdateSiteBody } from '../../../../areas/analytics/sites/schemas.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { FieldSet } from '../../../../platform/ui/components/form.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { Viewer } from '../../viewer.ts';
import { texts } from '../texts/en.ts';
import { sitePath } from './site-path.ts';

const { settings: words } = texts.site;

/** What a site collects and how long it keeps it. Viewers see it, admins change it. */
export function settingsPanel({ site_id: site, settings }: SiteView, { isAdmin }: Viewer): Html {
  const field = fieldsOf(UpdateSiteBody, { idPrefix: 'settings', texts: words, entry: settings });
  const lines = ['hosts', 'shields.ips', 'shields.countries', 'shields.pages'];
  const fields = (
    <>
      <FieldSet legend={words.collection} isDisabled={!isAdmin}>
        {lines.map((member) => field(member, { isLines: true }))}
      </FieldSet>
      <FieldSet legend={words.privacy} isDisabled={!isAdmin}>
        {field('honour_gpc')}
        {field('honour_dnt')}
        {field('retention_days')}
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
