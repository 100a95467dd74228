import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { CreateAnnotationBody } from '../../../../areas/analytics/annotations/schemas.ts';
import type { SiteView } from '../../../../areas/analytics/sites/schemas.ts';
import type { ReportView, ShareView } from '../../../../areas/analytics/sharing/schemas.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Disclosure } from '../../../../platform/ui/components/overlay.tsx';
import { Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { texts } from '../texts/en.ts';
import type { ViewParams } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.tsx';
import type { Annotation } from '../dashboard/dashboard-page.tsx';
import { doneNotice } from '../../components/notices.tsx';
import type { AnalyticsPageQuery } from '../page-query.ts';
import type { ConsolePage } from '../../layout.tsx';
import { allFields } from '../../forms/schema-fields.tsx';
import { ActionButton, ConfirmForm, ConsoleForm } from '../../components/console-form.tsx';
import { installPanel } from './install-panel.tsx';
import { reportsPanel } from './reports-panel.tsx';
import { settingsPanel } from './settings-panel.tsx';
import { sharesPanel } from './shares-panel.tsx';
import { sitePath } from './site-path.ts';
import type { Viewer } from '../../viewer.ts';

const { site: siteTexts } = texts;

export interface SitePageView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  site: SiteView;
  annotations: readonly Annotation[];
  /** Undefined for viewers who are not admins. */
  shares: readonly ShareView[] | undefined;
  reports: readonly ReportView[] | undefined;
  origin: string;
  /** What was just done; a deleted annotation can be restored. */
  query: AnalyticsPageQuery;
}

const newAnnotationForm = (site: string): Html => (
  <Disclosure summary={siteTexts.annotations.add} kind="secondary">
    <ConsoleForm
      action={`${sitePath}/annotations`}
      values={{ site_id: site }}
      submit={{ label: siteTexts.annotations.create }}
    >
      {allFields(CreateAnnotationBody, { idPrefix: 'annotation', texts: siteTexts.annotations })}
    </ConsoleForm>
  </Disclosure>
);

function annotationsPanel(
  { annotations, address: { site } }: SitePageView,
  { isAdmin }: Viewer,
): Html {
  const words = siteTexts.annotations;
  const deleteForm = ({ id, at, text }: Annotation) =>
    isAdmin && (
      <div class="row-actions">
        <ActionButton
          action={`${sitePath}/annotations/delete`}
          values={{ site_id: site, id, at, text }}
          label={words.delete}
          icon="trash"
          isIconOnly
          kind="ghost"
          about={`annotation-${id}`}
        />
      </div>
    );
  return (
    <Card id="annotations" title={words.heading} hint={words.hint}>
      <Table
        caption={words.heading}
        columns={[
          { title: words.date, cell: ({ at }) => <Time at={at} /> },
          {
            title: words.fields.text,
            cell: ({ id, text }) => (
              <span id={`annotation-${id}`} safe>
                {text}
              </span>
            ),
          },
          { title: siteTexts.actions, cell: deleteForm, isTitleHidden: true },
        ]}
        rows={annotations}
        empty={<EmptyState icon="flag" text={words.empty} />}
      />
      {isAdmin && newAnnotationForm(site)}
    </Card>
  );
}

function closingPanel({ site_id: site, closed }: SiteView): Html {
  const words = siteTexts.close;
  if (closed)
    return (
      <Card id="closing" title={words.closedHeading}>
        <p>
          <Badge text={words.badge} tone="warn" /> {escapeHtml(words.closed)}
        </p>
        <ActionButton action={`${sitePath}/open`} values={{ site_id: site }} label={words.reopen} />
      </Card>
    );
  return (
    <Card id="closing" title={words.heading}>
      <ConfirmForm
        id="close-confirm"
        action={`${sitePath}/close`}
        values={{ site_id: site }}
        open={words.open}
        word={site}
        warning={words.warning}
        submit={words.button}
      />
    </Card>
  );
}

const registerPanel = (): Html => (
  <Card id="register" title={siteTexts.add.heading} hint={siteTexts.add.hint}>
    <ConsoleForm
      action={`${sitePath}/register`}
      submit={{ label: siteTexts.add.button, kind: 'secondary' }}
      isInline
    >
      <Field
        id="new-site"
        name="name"
        label={siteTexts.add.name}
        hint={siteTexts.add.nameHint}
        maxLength={64}
        isRequired
      />
    </ConsoleForm>
  </Card>
);

/** The notice of what was done. Deleted annotations can be restored: the URL has their content. */
function noticeOf({ done, site_id, value: text, from: at }: AnalyticsPageQuery): Html | undefined {
  const undo =
    done === 'annotation_deleted' && text !== undefined && at !== undefined ? (
      <ActionButton
        action={`${sitePath}/annotations`}
        values={{ site_id, at, text }}
        label={siteTexts.annotations.undo}
        icon="undo"
      />
    ) : undefined;
  return doneNotice(siteTexts.done, done, { undo });
}

/** The settings, annotations, share links and reports of a site. */
export function sitePage(view: SitePageView, viewer: Viewer): ConsolePage {
  const { address, sites, site } = view;
  return {
    section: 'analytics',
    title: siteTexts.title({ site: address.site }),
    actions: siteChooser(address, sites, '/site'),
    body: (
      <>
        {siteTabs(address, '/site')}
        {installPanel(site, view)}
        <div class="columns">
          {settingsPanel(site, viewer)}
          <div>
            {annotationsPanel(view, viewer)}
            {sharesPanel(view.shares, address.site)}
            {reportsPanel(view.reports, address.site)}
            {viewer.isAdmin && registerPanel()}
            {viewer.isAdmin && closingPanel(site)}
          </div>
        </div>
      </>
    ),
    notice: noticeOf(view.query),
    channels: [`analytics:${address.site}`],
  };
}
