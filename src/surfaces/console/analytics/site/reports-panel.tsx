import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { ReportView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { select, field, postForm, confirmForm } from '../../components/forms.tsx';
import { emptyState, panel } from '../../components/elements.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';

const frequencies = [
  ['weekly', 'Every Monday'],
  ['monthly', 'On the first of the month'],
] as const;

function reportForms({ id, email }: ReportView, site: string, sitePath: string): Html {
  const test = postForm({
    action: `${sitePath}/reports/test`,
    values: { site_id: site, id },
    button: 'Send one now',
    about: `report-${id}`,
  });
  const end = confirmForm({
    id: `end-${id}`,
    action: `${sitePath}/reports/delete`,
    values: { site_id: site, id, email },
    open: 'End',
    word: email,
    warning: 'No more reports to this address.',
    button: 'End them',
  });
  return (
    <>
      {test}
      {end}
    </>
  );
}

const newReportForm = (site: string, sitePath: string): Html =>
  postForm({
    action: `${sitePath}/reports`,
    values: { site_id: site },
    inputs: [
      field({
        id: 'report-email',
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        maxLength: 254,
        attributes: { required: true },
      }),
      select({
        id: 'report-frequency',
        name: 'frequency',
        label: 'How often',
        options: frequencies,
      }),
      field({
        id: 'report-zone',
        name: 'timezone',
        label: 'Time zone',
        value: 'UTC',
        maxLength: 64,
        attributes: { required: true, 'data-own-zone': true },
      }),
    ],
    button: 'Send reports',
    kind: 'first',
  });

/** Reports of a site by e-mail. Undefined without `reports`, which only admins see. */
export function reportsPanel(
  reports: readonly ReportView[] | undefined,
  site: string,
  sitePath: string,
): Html | undefined {
  if (reports === undefined) return undefined;
  const rows = reports.map((report) => {
    const { id, email, frequency, timezone, last_sent_for: last, unsubscribed_at: ended } = report;
    return [
      <span id={`report-${id}`} safe>
        {email}
      </span>,
      escapeHtml(ended !== null ? 'unsubscribed' : `${frequency}, ${timezone}`),
      escapeHtml(last ?? 'none yet'),
      reportForms(report, site, sitePath),
    ];
  });
  const list = table({
    caption: 'Reports by e-mail',
    columns: ['To', 'How often', 'Last about', actionsColumn('Actions')],
    rows,
    empty: emptyState({ text: 'Nobody gets one yet.' }),
  });
  return panel({
    id: 'reports',
    title: 'Reports by e-mail',
    hint:
      'The week or the month before, with what has changed. ' +
      'Each mail has a link that ends them.',
    body: [list, newReportForm(site, sitePath)],
  });
}
