import type { Html } from '../../../../lib/text/html.ts';
import { type SiteView, UpdateSiteBody } from '../../../../areas/analytics/sites/schemas.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { FieldSet } from '../../../../platform/ui/components/form.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { texts } from '../texts/en.ts';
import { sitePath } from './site-path.ts';
import { timeZones, timeZonesId } from './time-zones.tsx';

const { settings: words } = texts.site;

/** Fields as a form for admins; others can only read them. */
export const editable = (site: string, action: string, fields: Html, isAdmin: boolean): Html =>
  isAdmin ? (
    <ConsoleForm action={action} values={{ site_id: site }} submit={{ label: words.save }}>
      {fields}
    </ConsoleForm>
  ) : (
    fields
  );

/** The fields of a site's settings, by their members. */
export const fieldsFor = ({ settings }: SiteView) =>
  fieldsOf(UpdateSiteBody, { idPrefix: 'settings', texts: words, entry: settings });

/** The time zone of a site, what it collects and how long it keeps it. */
export function settingsPanel(site: SiteView, isAdmin: boolean): Html {
  const field = fieldsFor(site);
  const fields = (
    <>
      <FieldSet legend={words.collection} isDisabled={!isAdmin}>
        {field('timezone', { attributes: { 'data-own-zone': true, list: timeZonesId } })}
        {field('hosts', { isLines: true })}
        {field('retention_days')}
      </FieldSet>
      <FieldSet legend={words.privacy} isDisabled={!isAdmin}>
        {field('honour_gpc')}
        {field('honour_dnt')}
      </FieldSet>
    </>
  );
  return (
    <Card id="settings" title={words.heading}>
      {timeZones()}
      {editable(site.site_id, `${sitePath}/settings`, fields, isAdmin)}
    </Card>
  );
}
