import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { ReportView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { select, field, postForm, confirmForm } from '../../components/forms.tsx';
import { emptyState, panel } from '../../components/elements.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';
import { texts } from '../texts/en.ts';

const { reports: reportTexts } = texts.site;

const frequencies = [
  ['weekly', reportTexts.frequencies.weekly],
  ['monthly', reportTexts.frequencies.monthly],
] as const;

function reportForms({ id, email }: ReportView, site: string, sitePath: string): Html {
  const test = postForm({
    action: `${sitePath}/reports/test`,
    values: { site_id: site, id },
    button: reportTexts.sendTest,
    about: `report-${id}`,
  });
  const end = confirmForm({
    id: `end-${id}`,
    action: `${sitePath}/reports/delete`,
    values: { site_id: site, id, email },
    open: reportTexts.delete,
    word: email,
    warning: reportTexts.deleteWarning,
    button: reportTexts.confirmDelete,
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
        label: reportTexts.email,
        type: 'email',
        maxLength: 254,
        attributes: { required: true },
      }),
      select({
        id: 'report-frequency',
        name: 'frequency',
        label: reportTexts.frequency,
        options: frequencies,
      }),
      field({
        id: 'report-zone',
        name: 'timezone',
        label: reportTexts.timezone,
        value: 'UTC',
        maxLength: 64,
        attributes: { required: true, 'data-own-zone': true },
      }),
    ],
    button: reportTexts.add,
    kind: 'first',
  });

/** Reports of a site by email. Undefined without `reports`, which only admins see. */
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
      escapeHtml(
        ended === null ? reportTexts.schedule[frequency]({ timezone }) : reportTexts.unsubscribed,
      ),
      escapeHtml(last ?? reportTexts.noneSent),
      reportForms(report, site, sitePath),
    ];
  });
  const { columns } = reportTexts;
  const list = table({
    caption: reportTexts.heading,
    columns: [columns.to, columns.frequency, columns.last, actionsColumn(texts.site.actions)],
    rows,
    empty: emptyState({ text: reportTexts.empty }),
  });
  return panel({
    id: 'reports',
    title: reportTexts.heading,
    hint: reportTexts.hint,
    body: [list, newReportForm(site, sitePath)],
  });
}
