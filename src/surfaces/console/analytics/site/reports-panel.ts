import { html, type Html } from '../../../../lib/text/html.ts';
import type { ReportView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { select, field, postForm, confirmForm } from '../../components/forms.ts';
import { emptyState, panel } from '../../components/elements.ts';
import { actionsColumn, table } from '../../components/tables.ts';

/** Who gets the figures of a site by mail; nothing for who may only look. */
export function reportsPanel(
  reports: readonly ReportView[] | undefined,
  site: string,
  place: string,
): Html | undefined {
  if (reports === undefined) return undefined;
  const forms = ({ id, email }: ReportView) =>
    html`${postForm({ action: `${place}/reports/test`, values: { site_id: site, id }, button: 'Send one now', about: `report-${id}` })}${confirmForm({ id: `end-${id}`, action: `${place}/reports/delete`, values: { site_id: site, id, email }, open: 'End', word: email, warning: 'No more reports to this address.', button: 'End them' })}`;
  const rows = reports.map((report) => {
    const { id, email, frequency, timezone, last_sent_for: last, unsubscribed_at: ended } = report;
    return [
      html`<span id="report-${id}">${email}</span>`,
      ended !== null ? 'unsubscribed' : `${frequency}, ${timezone}`,
      last ?? 'none yet',
      forms(report),
    ];
  });
  const columns = ['To', 'How often', 'Last about', actionsColumn('Actions')];
  const inputs = html`${field({ id: 'report-email', name: 'email', label: 'E-mail address', type: 'email', maxLength: 254, attributes: { required: true } })}${select(
    {
      id: 'report-frequency',
      name: 'frequency',
      label: 'How often',
      options: [
        ['weekly', 'Every Monday'],
        ['monthly', 'On the first of the month'],
      ],
    },
  )}${field({ id: 'report-zone', name: 'timezone', label: 'Time zone', value: 'UTC', maxLength: 64, attributes: { required: true, 'data-own-zone': true } })}`;
  return panel({
    id: 'reports',
    title: 'Reports by e-mail',
    hint: 'The week or the month before, with what has changed. Each mail has a link that ends them.',
    body: html`${rows.length === 0 ? emptyState({ text: 'Nobody gets one yet.' }) : table({ caption: 'Reports by e-mail', columns, rows })}${postForm({ action: `${place}/reports`, values: { site_id: site }, inputs, button: 'Send reports', kind: 'first' })}`,
  });
}
