import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { SiteView } from '../../../../areas/analytics/sites/schemas.sites.ts';
import type { ReportView, ShareView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { type ViewParams, analyticsPath } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.tsx';
import type { Annotation } from '../dashboard/dashboard-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { badge, copyBlock, emptyState, panel, time } from '../../components/elements.tsx';
import { checkbox, confirmForm, field, lines, postForm } from '../../components/forms.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';
import { annotationsPanel } from './annotations-panel.tsx';
import { reportsPanel } from './reports-panel.tsx';
import type { Viewer } from '../../request-context.ts';

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

export const sitePath = `${analyticsPath}/site`;

const otherWays = (
  <p>
    <a href="/install">Pixel, server, mobile app</a> ·{' '}
    <a href="/developer/guides/website-script">Guide to the script</a>
  </p>
);

function installPanel({ site_id: site }: SiteView, { sites, origin }: SitePageView): Html {
  const known = sites.find(({ site_id: id }) => id === site);
  const last = known?.last_event_at ?? null;
  const state =
    last === null ? (
      <>
        {badge('waiting', 'warn')} No event has come yet. Open a page with the script: this line
        changes by itself.
      </>
    ) : (
      <>
        {badge('receiving', 'good')} The last event came {time(last)}.
      </>
    );
  return panel({
    id: 'install',
    title: 'Put it on your pages',
    hint: 'One line in the head of every page. It sets no cookie and stores nothing.',
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
    label: 'Hosts',
    hint: 'One on each line, by name or as *.example.com. Empty: any host.',
    values: hosts,
  }),
  lines({
    id: 'ips',
    label: 'Addresses that are shut out',
    hint: 'Addresses or networks such as 203.0.113.0/24: your office, for instance.',
    values: shields.ips,
  }),
  lines({
    id: 'countries',
    label: 'Countries that are shut out',
    hint: 'Two letters each, such as DE.',
    values: shields.countries,
  }),
  lines({
    id: 'pages',
    label: 'Pages that are shut out',
    hint: 'Paths; * stands for any text: /admin/*',
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
    label: escapeHtml('Who sends Global Privacy Control is counted without being recognised'),
    isChecked: gpc,
  }),
  checkbox({
    id: 'honour_dnt',
    label: escapeHtml('The same for Do Not Track'),
    isChecked: dnt,
  }),
  field({
    id: 'retention_days',
    label: 'Days that events are kept',
    hint: 'From 30 to 3650. Empty: for ever. Older ones are deleted once a day, for good.',
    type: 'number',
    value: days === null ? '' : String(days),
    attributes: { min: 30, max: 3650 },
  }),
];

function settingsPanel({ site_id: site, settings }: SiteView, { isAdmin }: Viewer): Html {
  const state = { disabled: !isAdmin };
  const inputs = (
    <>
      <fieldset {...state}>
        <legend>What is taken</legend>
        {collectionFields(settings)}
      </fieldset>
      <fieldset {...state}>
        <legend>Privacy</legend>
        {privacyFields(settings)}
      </fieldset>
    </>
  );
  const body = isAdmin
    ? postForm({
        action: `${sitePath}/settings`,
        values: { site_id: site },
        inputs,
        button: 'Save',
        kind: 'first',
      })
    : inputs;
  return panel({ id: 'settings', title: 'Settings', body });
}

const newShareForm = (site: string): Html =>
  postForm({
    action: `${sitePath}/shares`,
    values: { site_id: site },
    inputs: [
      field({
        id: 'share-name',
        name: 'name',
        label: 'For whom',
        hint: 'It is shown on the page.',
        maxLength: 100,
        attributes: { required: true },
      }),
      field({
        id: 'share-password',
        name: 'password',
        label: 'Password',
        hint: 'Eight characters or more. Empty: none.',
        type: 'password',
        maxLength: 256,
        attributes: { minlength: 8 },
      }),
      field({
        id: 'share-end',
        name: 'expires_at',
        label: 'Ends (UTC)',
        hint: 'Empty: never.',
        type: 'datetime-local',
      }),
    ],
    button: 'Make a link',
    kind: 'first',
  });

function sharesPanel({ shares, address: { site } }: SitePageView): Html | undefined {
  if (shares === undefined) return undefined;
  const revokeForm = ({ id, name }: ShareView) =>
    confirmForm({
      id: `revoke-${id}`,
      action: `${sitePath}/shares/revoke`,
      values: { site_id: site, id, name },
      open: 'Revoke',
      word: name,
      warning: 'Who has the link sees nothing any more, at once.',
      button: 'Revoke it',
    });
  const list = table({
    caption: 'Links to share',
    columns: ['For', 'Password', 'Ends', 'Last used', actionsColumn('Actions')],
    rows: shares.map((share) => [
      <span id={`share-${share.id}`} safe>
        {share.name}
      </span>,
      share.has_password ? escapeHtml('Yes') : escapeHtml('No'),
      time(share.expires_at),
      time(share.last_used_at),
      revokeForm(share),
    ]),
    empty: emptyState({ text: 'No link yet.' }),
  });
  return panel({
    id: 'shares',
    title: 'Links to share',
    hint: 'Who has one sees the figures of this site without an account, and nothing else.',
    body: [list, newShareForm(site)],
  });
}

function closingPanel({ site_id: site, closed }: SiteView): Html {
  if (!closed) {
    const form = confirmForm({
      id: 'close-confirm',
      action: `${sitePath}/close`,
      values: { site_id: site },
      open: 'Close this site',
      word: site,
      warning: 'It takes no events from then on. What comes meanwhile is lost.',
      button: 'Close it',
    });
    return panel({ id: 'closing', title: 'Close', body: form });
  }
  const form = postForm({
    action: `${sitePath}/open`,
    values: { site_id: site },
    button: 'Take events again',
  });
  const state = badge('closed', 'warn');
  return panel({
    id: 'closing',
    title: 'Closed',
    body: (
      <>
        <p>{state} It takes no events. Its figures can still be read.</p>
        {form}
      </>
    ),
  });
}

function registerPanel(): Html {
  const input = field({
    id: 'new-site',
    name: 'name',
    label: 'Name',
    hint: 'The host of its pages is a good one.',
    maxLength: 64,
    attributes: { required: true },
  });
  return panel({
    id: 'register',
    title: 'Another site',
    hint:
      'Needed where sites are not taken up by themselves (SITE_REGISTRATION=closed), ' +
      'and handy before the first event.',
    body: postForm({ action: `${sitePath}/register`, inputs: input, button: 'Register' }),
  });
}

/** The settings, annotations, share links and reports of a site. */
export function sitePage(view: SitePageView, viewer: Viewer): ConsolePage {
  const { address, sites, site } = view;
  const panels = [
    annotationsPanel(view.annotations, { site: address.site, path: sitePath }, viewer),
    sharesPanel(view),
    reportsPanel(view.reports, address.site, sitePath),
    ...(viewer.isAdmin ? [closingPanel(site), registerPanel()] : []),
  ];
  return {
    section: 'analytics',
    title: `${address.site}, settings`,
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

/** The page of a new link, which is shown only once. */
export function createdSharePage(address: ViewParams, name: string, url: string): ConsolePage {
  const back = `${sitePath}?site_id=${encodeURIComponent(address.site)}`;
  return {
    section: 'analytics',
    title: 'The link is made',
    body: (
      <section class="panel">
        <p>
          Copy it now and give it to {escapeHtml(name)}. It is kept nowhere, and cannot be shown
          again.
        </p>
        {copyBlock(url)}
        <p>
          <a href={back}>Back to the settings</a>
        </p>
      </section>
    ),
  };
}
