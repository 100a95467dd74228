import type { Html } from '../../../../lib/text/html.ts';
import { CreateReportBody, type ReportView } from '../../../../areas/analytics/sharing/schemas.ts';
import { nextDue } from '../../../../areas/analytics/sharing/reports/periods.ts';
import { formatDayTime } from '../../../../platform/i18n/dates.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { ofSite } from '../view-controls.tsx';
import { texts } from '../texts/en.ts';
import { sitePartPath, sitePath } from './site-path.ts';

const { reports: reportTexts } = texts.site;

const reportMenu = ({ id, email }: ReportView, site: string): Html => (
  <Menu
    id={`menu-${id}`}
    label={texts.site.actionsFor({ name: email })}
    isIconOnly
    items={[
      <ActionButton
        action={`${sitePath}/reports/test`}
        values={{ site_id: site, id }}
        label={reportTexts.sendTest}
        icon="mail"
        kind="ghost"
      />,
      <ActionButton
        action={`${sitePath}/reports/delete`}
        values={{ site_id: site, id }}
        label={reportTexts.delete}
        icon="trash"
        kind="ghost"
      />,
    ]}
  />
);

/** The form for a new report, in the time zone of its site. */
export function newReportForm(site: string, siteZone: string): Html {
  const field = fieldsOf(CreateReportBody, { idPrefix: 'report', texts: reportTexts });
  return (
    <ConsoleForm
      action={`${sitePath}/reports`}
      values={{ site_id: site }}
      submit={{ label: reportTexts.create }}
      cancel={sitePartPath('reports', site)}
    >
      {field('email')}
      {field('frequency')}
      {field('timezone', {
        value: siteZone,
        isRequired: true,
        attributes: { 'data-own-zone': true },
      })}
    </ConsoleForm>
  );
}

function schedule({ unsubscribed_at: ended, frequency, timezone }: ReportView): Html {
  if (ended !== null) return <Badge text={reportTexts.unsubscribed} />;
  return <span safe>{reportTexts.schedule[frequency]({ timezone })}</span>;
}

/** When the next email is sent, in the time zone of the report. */
function nextText({ unsubscribed_at: ended, frequency, timezone }: ReportView, now: number) {
  if (ended !== null) return '–';
  return formatDayTime(nextDue(frequency, timezone, now), { timeZone: timezone });
}

function reportColumns(site: string, now: number): Column<ReportView>[] {
  const { columns } = reportTexts;
  return [
    {
      title: columns.to,
      cell: ({ id, email }) => (
        <span id={`report-${id}`} safe>
          {email}
        </span>
      ),
    },
    { title: columns.frequency, cell: schedule },
    { title: columns.next, text: (report) => nextText(report, now) },
    {
      title: columns.last,
      text: ({ last_sent_for: last }) => last ?? reportTexts.noneSent,
      isMinor: true,
    },
    {
      title: texts.site.actions,
      cell: (report) => reportMenu(report, site),
      isTitleHidden: true,
      isNumber: true,
    },
  ];
}

/** Reports of a site by email, for admins. */
export const reportsPanel = (reports: readonly ReportView[], site: string, now: number): Html => (
  <Card
    id="reports"
    title={reportTexts.heading}
    hint={reportTexts.hint}
    actions={
      <DrawerLink
        href={ofSite(`${sitePath}/reports/new`, site)}
        label={reportTexts.add}
        icon="plus"
        size="small"
      />
    }
  >
    <Table
      caption={reportTexts.heading}
      columns={reportColumns(site, now)}
      rows={reports}
      empty={<EmptyState icon="mail" text={reportTexts.empty} />}
    />
  </Card>
);
