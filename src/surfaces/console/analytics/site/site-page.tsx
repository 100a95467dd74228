import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { SiteView } from '../../../../areas/analytics/sites/schemas.sites.ts';
import type { ReportView, ShareView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { texts } from '../texts/en.ts';
import type { ViewParams } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.tsx';
import type { Annotation } from '../dashboard/dashboard-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { badge, copyBlock, emptyState, panel, time } from '../../components/elements.tsx';
import { checkbox, confirmForm, field, lines, postForm } from '../../components/forms.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';
import { reportsPanel } from './reports-panel.tsx';
import { sharesPanel } from './shares-panel.tsx';
import { sitePath } from './site-path.ts';
import type { Viewer } from '../../request-context.ts';

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
  notice: Html | undefined;
}

const otherWays = (
  <p>
    <a href="/install" safe>
      {siteTexts.install.otherWays}
    </a>
    {' · '}
    <a href="/developer/guides/website-script" safe>
      {siteTexts.install.guide}
    </a>
  </p>
);

function installPanel({ site_id: site }: SiteView, { sites, origin }: SitePageView): Html {
  const known = sites.find(({ site_id: id }) => id === site);
  const last = known?.last_event_at ?? null;
  const state =
    last === null ? (
      <>
        {badge(siteTexts.install.waiting, 'warn')} {escapeHtml(siteTexts.install.noEvent)}
      </>
    ) : (
      <>
        {badge(siteTexts.install.receiving, 'good')}{' '}
        {rich(siteTexts.install.lastEvent, { time: () => time(last) })}
      </>
    );
  return panel({
    id: 'install',
    title: siteTexts.install.heading,
    hint: siteTexts.install.hint,
    body: [
      copyBlock(`<script defer src="${origin}/svc.min.js" data-site="${site}"></script>`),
      <div role="status">
        <p data-await={`analytics:${site}`}>{state}</p>
      </div>,
      otherWays,
    ],
  });
}

type SiteSettings = SiteView['settings'];

const collectionFields = ({ hosts, shields }: SiteSettings): Html[] => [
  lines({
    id: 'hosts',
    label: siteTexts.settings.hosts,
    hint: siteTexts.settings.hostsHint,
    values: hosts,
  }),
  lines({
    id: 'ips',
    label: siteTexts.settings.ips,
    hint: siteTexts.settings.ipsHint,
    values: shields.ips,
  }),
  lines({
    id: 'countries',
    label: siteTexts.settings.countries,
    hint: siteTexts.settings.countriesHint,
    values: shields.countries,
  }),
  lines({
    id: 'pages',
    label: siteTexts.settings.pages,
    hint: siteTexts.settings.pagesHint,
    values: shields.pages,
  }),
];

const privacyFields = ({
  honour_gpc: gpc,
  honour_dnt: dnt,
  retention_days: days,
}: SiteSettings): Html[] => [
  checkbox({
    id: 'honour_gpc',
    label: escapeHtml(siteTexts.settings.gpc),
    isChecked: gpc,
  }),
  checkbox({
    id: 'honour_dnt',
    label: escapeHtml(siteTexts.settings.dnt),
    isChecked: dnt,
  }),
  field({
    id: 'retention_days',
    label: siteTexts.settings.retention,
    hint: siteTexts.settings.retentionHint,
    type: 'number',
    value: days === null ? '' : String(days),
    attributes: { min: 30, max: 3650 },
  }),
];

function settingsPanel({ site_id: site, settings }: SiteView, { isAdmin }: Viewer): Html {
  const state = { disabled: !isAdmin };
  const inputs = (
    <>
      <fieldset class="form-fieldset" {...state}>
        <legend safe>{siteTexts.settings.collection}</legend>
        {collectionFields(settings)}
      </fieldset>
      <fieldset class="form-fieldset" {...state}>
        <legend safe>{siteTexts.settings.privacy}</legend>
        {privacyFields(settings)}
      </fieldset>
    </>
  );
  const body = isAdmin
    ? postForm({
        action: `${sitePath}/settings`,
        values: { site_id: site },
        inputs,
        button: siteTexts.settings.save,
        kind: 'first',
      })
    : inputs;
  return panel({ id: 'settings', title: siteTexts.settings.heading, body });
}

const newAnnotationForm = (site: string): Html =>
  postForm({
    action: `${sitePath}/annotations`,
    values: { site_id: site },
    inputs: [
      field({
        id: 'annotation-at',
        name: 'at',
        label: siteTexts.annotations.at,
        type: 'datetime-local',
        attributes: { required: true },
      }),
      field({
        id: 'annotation-text',
        name: 'text',
        label: siteTexts.annotations.text,
        attributes: { required: true },
      }),
    ],
    button: siteTexts.annotations.add,
    kind: 'first',
  });

function annotationsPanel(
  { annotations, address: { site } }: SitePageView,
  { isAdmin }: Viewer,
): Html {
  const deleteForm = ({ id, at, text }: Annotation) =>
    postForm({
      action: `${sitePath}/annotations/delete`,
      values: { site_id: site, id, at, text },
      button: siteTexts.annotations.delete,
      about: `annotation-${id}`,
    });
  const list = table({
    caption: siteTexts.annotations.heading,
    columns: [
      siteTexts.annotations.date,
      siteTexts.annotations.text,
      actionsColumn(siteTexts.actions),
    ],
    rows: annotations.map((annotation) => [
      time(annotation.at),
      <span id={`annotation-${annotation.id}`} safe>
        {annotation.text}
      </span>,
      isAdmin ? deleteForm(annotation) : undefined,
    ]),
    empty: emptyState({ text: siteTexts.annotations.empty }),
  });
  return panel({
    id: 'annotations',
    title: siteTexts.annotations.heading,
    hint: siteTexts.annotations.hint,
    body: [list, isAdmin ? newAnnotationForm(site) : undefined],
  });
}

function closingPanel({ site_id: site, closed }: SiteView): Html {
  if (!closed) {
    const form = confirmForm({
      id: 'close-confirm',
      action: `${sitePath}/close`,
      values: { site_id: site },
      open: siteTexts.close.open,
      word: site,
      warning: siteTexts.close.warning,
      button: siteTexts.close.button,
    });
    return panel({ id: 'closing', title: siteTexts.close.heading, body: form });
  }
  const form = postForm({
    action: `${sitePath}/open`,
    values: { site_id: site },
    button: siteTexts.close.reopen,
  });
  const state = badge(siteTexts.close.badge, 'warn');
  return panel({
    id: 'closing',
    title: siteTexts.close.closedHeading,
    body: (
      <>
        <p>
          {state} {escapeHtml(siteTexts.close.closed)}
        </p>
        {form}
      </>
    ),
  });
}

function registerPanel(): Html {
  const input = field({
    id: 'new-site',
    name: 'name',
    label: siteTexts.add.name,
    hint: siteTexts.add.nameHint,
    maxLength: 64,
    attributes: { required: true },
  });
  return panel({
    id: 'register',
    title: siteTexts.add.heading,
    hint: siteTexts.add.hint,
    body: postForm({ action: `${sitePath}/register`, inputs: input, button: siteTexts.add.button }),
  });
}

/** The settings, annotations, share links and reports of a site. */
export function sitePage(view: SitePageView, viewer: Viewer): ConsolePage {
  const { address, sites, site } = view;
  const panels = [
    annotationsPanel(view, viewer),
    sharesPanel(view.shares, address.site),
    reportsPanel(view.reports, address.site, sitePath),
    ...(viewer.isAdmin ? [closingPanel(site), registerPanel()] : []),
  ];
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
          <div>{panels}</div>
        </div>
      </>
    ),
    notice: view.notice,
    channels: [`analytics:${address.site}`],
  };
}
