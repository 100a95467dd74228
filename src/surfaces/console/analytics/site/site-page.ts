import { html, type Html } from '../../../../lib/text/html.ts';
import type { SiteView } from '../../../../areas/analytics/sites/schemas.sites.ts';
import type { ReportView, ShareView } from '../../../../areas/analytics/sharing/schemas.sharing.ts';
import { type ViewParams, analyticsPath } from '../view-params.ts';
import { siteChooser, type SiteEntry, siteTabs } from '../view-controls.ts';
import type { Annotation } from '../dashboard/dashboard-page.ts';
import type { ConsolePage } from '../../layout.ts';
import { badge, copyBlock, emptyState, panel, time } from '../../components/elements.ts';
import { field, postForm, confirmForm } from '../../components/forms.ts';
import { actionsColumn, table } from '../../components/tables.ts';
import { reportsPanel } from './reports-panel.ts';
import type { Viewer } from '../../request-context.ts';

export interface SitePageView {
  address: ViewParams;
  sites: readonly SiteEntry[];
  site: SiteView;
  annotations: readonly Annotation[];
  /** Undefined for who may only look. */
  shares: readonly ShareView[] | undefined;
  reports: readonly ReportView[] | undefined;
  origin: string;
  notice: Html | undefined;
}

export const sitePath = `${analyticsPath}/site`;
const lines = (id: string, label: string, hint: string, values: readonly string[]): Html =>
  html`<div class="field"><label for="${id}">${label}</label><p class="hint" id="${id}-hint">${hint}</p><textarea id="${id}" name="${id}" rows="${Math.min(8, Math.max(2, values.length + 1))}" maxlength="20000" aria-describedby="${id}-hint" spellcheck="false">${values.join('\n')}</textarea></div>\n`;
const check = (name: string, label: string, isOn: boolean): Html =>
  html`<div class="check"><input type="checkbox" id="${name}" name="${name}" value="true"${isOn ? html` checked` : undefined}><label for="${name}">${label}</label></div>\n`;

function installPanel({ site_id: site }: SiteView, { sites, origin }: SitePageView): Html {
  const known = sites.find(({ site_id: id }) => id === site);
  const last = known?.last_event_at ?? null;
  const state =
    last === null
      ? html`<p data-await="analytics:${site}">${badge('waiting', 'warn')} No event has come yet. Open a page with the script: this line changes by itself.</p>`
      : html`<p data-await="analytics:${site}">${badge('receiving', 'good')} The last event came ${time(last)}.</p>`;
  return panel({
    id: 'install',
    title: 'Put it on your pages',
    hint: 'One line in the head of every page. It sets no cookie and stores nothing.',
    body: html`${copyBlock(`<script defer src="${origin}/svc.min.js" data-site="${site}"></script>`)}<div role="status">${state}</div><p><a href="/install">Pixel, server, mobile app</a> · <a href="/developer/guides/website-script">Guide to the script</a></p>`,
  });
}

function settingsPanel(
  {
    site_id: site,
    settings: { hosts, shields, retention_days: days, honour_gpc: gpc, honour_dnt: dnt },
  }: SiteView,
  { isAdmin }: Viewer,
): Html {
  const inputs = html`<fieldset${isAdmin ? undefined : html` disabled`}><legend>What is taken</legend>
${lines('hosts', 'Hosts', 'One on each line, by name or as *.example.com. Empty: any host.', hosts)}
${lines('ips', 'Addresses that are shut out', 'Addresses or networks such as 203.0.113.0/24: your office, for instance.', shields.ips)}
${lines('countries', 'Countries that are shut out', 'Two letters each, such as DE.', shields.countries)}
${lines('pages', 'Pages that are shut out', 'Paths; * stands for any text: /admin/*', shields.pages)}</fieldset>
<fieldset${isAdmin ? undefined : html` disabled`}><legend>Privacy</legend>
${check('honour_gpc', 'Who sends Global Privacy Control is counted without being recognised', gpc)}${check('honour_dnt', 'The same for Do Not Track', dnt)}
${field({ id: 'retention_days', name: 'retention_days', label: 'Days that events are kept', hint: 'From 30 to 3650. Empty: for ever. Older ones are deleted once a day, for good.', type: 'number', value: days === null ? '' : String(days), attributes: { min: 30, max: 3650 } })}</fieldset>`;
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

function annotationsPanel(
  { annotations, address: { site } }: SitePageView,
  { isAdmin }: Viewer,
): Html {
  const rows = annotations.map(({ id, at, text }) => [
    time(at),
    html`<span id="annotation-${id}">${text}</span>`,
    isAdmin
      ? postForm({
          action: `${sitePath}/annotations/delete`,
          values: { site_id: site, id, at, text },
          button: 'Delete',
          about: `annotation-${id}`,
        })
      : '',
  ]);
  const columns = ['When', 'What happened', actionsColumn('Actions')];
  const list =
    rows.length === 0
      ? emptyState({
          text: 'None yet. A note of a launch or a campaign explains a curve months later.',
        })
      : table({ caption: 'Annotations', columns, rows });
  const form = isAdmin
    ? postForm({
        action: `${sitePath}/annotations`,
        values: { site_id: site },
        button: 'Add',
        kind: 'first',
        inputs: html`${field({ id: 'annotation-at', name: 'at', label: 'When (UTC)', type: 'datetime-local', attributes: { required: true } })}${field({ id: 'annotation-text', name: 'text', label: 'What happened', attributes: { required: true } })}`,
      })
    : undefined;
  return panel({
    id: 'annotations',
    title: 'Annotations',
    hint: 'They stand in the chart of the dashboard.',
    body: html`${list}${form}`,
  });
}

function sharesPanel({ shares, address: { site } }: SitePageView): Html | undefined {
  if (shares === undefined) return undefined;
  const rows = shares.map(
    ({ id, name, has_password: hasPassword, expires_at: end, last_used_at: used }) => [
      html`<span id="share-${id}">${name}</span>`,
      hasPassword ? 'Yes' : 'No',
      time(end),
      time(used),
      confirmForm({
        id: `revoke-${id}`,
        action: `${sitePath}/shares/revoke`,
        values: { site_id: site, id, name },
        open: 'Revoke',
        word: name,
        warning: 'Who has the link sees nothing any more, at once.',
        button: 'Revoke it',
      }),
    ],
  );
  const columns = ['For', 'Password', 'Ends', 'Last used', actionsColumn('Actions')];
  const inputs = html`${field({ id: 'share-name', name: 'name', label: 'For whom', hint: 'It is shown on the page.', maxLength: 100, attributes: { required: true } })}${field({ id: 'share-password', name: 'password', label: 'Password', hint: 'Eight characters or more. Empty: none.', type: 'password', maxLength: 256, attributes: { minlength: 8 } })}${field({ id: 'share-end', name: 'expires_at', label: 'Ends (UTC)', hint: 'Empty: never.', type: 'datetime-local' })}`;
  return panel({
    id: 'shares',
    title: 'Links to share',
    hint: 'Who has one sees the figures of this site without an account, and nothing else.',
    body: html`${rows.length === 0 ? emptyState({ text: 'No link yet.' }) : table({ caption: 'Links to share', columns, rows })}${postForm({ action: `${sitePath}/shares`, values: { site_id: site }, inputs, button: 'Make a link', kind: 'first' })}`,
  });
}

function closingPanel({ site_id: site, closed }: SiteView): Html {
  const body = closed
    ? html`<p>${badge('closed', 'warn')} It takes no events. Its figures can still be read.</p>${postForm({ action: `${sitePath}/open`, values: { site_id: site }, button: 'Take events again' })}`
    : confirmForm({
        id: 'close-confirm',
        action: `${sitePath}/close`,
        values: { site_id: site },
        open: 'Close this site',
        word: site,
        warning: 'It takes no events from then on. What comes meanwhile is lost.',
        button: 'Close it',
      });
  return panel({ id: 'closing', title: closed ? 'Closed' : 'Close', body });
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
    hint: 'Needed where sites are not taken up by themselves (SITE_REGISTRATION=closed), and handy before the first event.',
    body: postForm({ action: `${sitePath}/register`, inputs: input, button: 'Register' }),
  });
}

/** What is set of a site, and who else sees it. */
export function sitePage(view: SitePageView, viewer: Viewer): ConsolePage {
  const { address, sites, site } = view;
  const body = html`${siteTabs(address, '/site')}
${installPanel(site, view)}
<div class="columns">${settingsPanel(site, viewer)}<div>${annotationsPanel(view, viewer)}${sharesPanel(view)}${reportsPanel(view.reports, address.site, sitePath)}${viewer.isAdmin ? html`${closingPanel(site)}${registerPanel()}` : undefined}</div></div>`;
  return {
    section: 'analytics',
    title: `${address.site}, settings`,
    actions: siteChooser(address, sites, '/site'),
    body,
    notice: view.notice,
    channels: [`analytics:${address.site}`],
  };
}

/** A link that was just made: this is the only time it can be read. */
export function createdSharePage(address: ViewParams, name: string, url: string): ConsolePage {
  return {
    section: 'analytics',
    title: 'The link is made',
    body: html`<section class="panel"><p>Copy it now and give it to ${name}. It is kept nowhere, and cannot be shown again.</p>${copyBlock(url)}<p><a href="${sitePath}?site_id=${encodeURIComponent(address.site)}">Back to the settings</a></p></section>`,
  };
}
