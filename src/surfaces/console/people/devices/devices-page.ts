import type { z } from 'zod';
import { html, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/blackops/dashboard/schemas.dashboard.ts';
import type { RequestView } from '../../../../areas/blackops/schemas.ts';
import type { Device } from '../../../../areas/blackops/store.ts';
import { deviceTable, type DeviceRow } from './device-table.ts';
import type { ConsolePage } from '../../layout.ts';
import { count, plural, duration } from '../../components/number-format.ts';
import {
  badge,
  type Card,
  cards,
  emptyState,
  errorNotice,
  facts,
  notice,
  panel,
  sentenceOf,
  time,
} from '../../components/elements.ts';
import { field, postForm } from '../../components/forms.ts';
import { pager, tabs, withQuery } from '../../components/navigation.ts';
import { numberColumn, table } from '../../components/tables.ts';
import { freshHint, stateName, userLink } from '../labels.ts';
import { sectionPath } from '../../sections.ts';
import type { Viewer } from '../../request-context.ts';

/** A request for clearance in words. */
export interface ClearanceRequest extends Omit<
  z.output<typeof RequestView>,
  'binding' | 'country' | 'browser' | 'os'
> {
  program: string;
  /** To be said after "bound by". */
  bound: string;
  country: string;
}

export interface DevicesView {
  /** Oldest first. */
  open: readonly ClearanceRequest[];
  /** Those that were decided last. */
  decided: readonly ClearanceRequest[];
  figures: z.input<typeof DashboardView>;
  devices: readonly DeviceRow[];
  next: string | null;
  /** Of the list. */
  state: Device['state'] | undefined;
  cursor: string | undefined;
  now: number;
}

export const listedStates = [
  'pending',
  'cleared',
  'suspended',
  'expired',
  'denied',
  'revoked',
] as const satisfies readonly Device['state'][];

const home = sectionPath('devices');
const personOf = ({ user: { name, email, id } }: ClearanceRequest): string => name ?? email ?? id;

function decisionForms({ request_id: id }: ClearanceRequest, about: string): Html {
  const action = `${home}/requests/${id}`;
  const number = field({
    id: `number-${id}`,
    name: 'number',
    label: 'Number that the device shows',
    hint: 'Let the person tell you: by voice, or face to face. Who only writes to you may be somebody else.',
    attributes: {
      required: true,
      inputmode: 'numeric',
      pattern: '[0-9]{2}',
      title: 'Two digits',
      class: 'short',
    },
  });
  const note = (act: string) =>
    field({
      id: `${act}-note-${id}`,
      name: 'note',
      label: 'Note',
      hint: 'For other admins. May be left empty.',
      maxLength: 280,
    });
  return html`${postForm({ action: `${action}/approve`, inputs: html`${number}${note('approve')}`, button: 'Approve', about, kind: 'first' })}
<details class="typed"><summary aria-describedby="${about}">Deny instead</summary>
${postForm({ action: `${action}/deny`, inputs: note('deny'), button: 'Deny', about, kind: 'danger' })}</details>`;
}

function asking(view: ClearanceRequest, now: number): Html {
  const about = `request-${view.request_id}`;
  const waiting = duration(Math.max(0, (now - Date.parse(view.created_at)) / 1000));
  return html`<article class="request"><h3 id="${about}">${view.device_name}, ${userLink(view.user.id, personOf(view))}</h3>
${facts([
  ['Address', view.user.email ?? '–'],
  ['Browser', view.program],
  ['Bound by', view.bound],
  ['From', `${view.country}, ${view.network ?? 'network unknown'}`],
  ['Reason', view.reason ?? 'none given'],
  ['Waiting', html`${waiting}, since ${time(view.created_at)}`],
  ['Ends', time(view.expires_at)],
])}
${view.own ? html`<p class="hint">This is your own request: somebody else must decide.</p>` : decisionForms(view, about)}</article>\n`;
}

const verdicts: Readonly<Record<ClearanceRequest['state'], string>> = {
  open: 'open',
  approved: 'approved',
  denied: 'denied',
  expired: 'not decided in time',
  withdrawn: 'withdrawn',
};

function deciderOf({ decided_by: by, user, state }: ClearanceRequest, viewerId: string): Html {
  if (by === null || by === 'system' || state === 'expired') return html`–`;
  if (by === viewerId) return html`you`;
  return by === 'env'
    ? html`the admin key`
    : by === user.id
      ? html`its owner`
      : userLink(by, 'another admin');
}

function decidedList(decided: readonly ClearanceRequest[], viewerId: string): Html | undefined {
  if (decided.length === 0) return undefined;
  const rows = decided.map((view) => [
    html`${view.device_name}<br><span class="hint">${personOf(view)}</span>`,
    badge(
      verdicts[view.state],
      view.state === 'approved' ? 'good' : view.state === 'denied' ? 'bad' : 'quiet',
    ),
    deciderOf(view, viewerId),
    time(view.decided_at),
    view.note ?? '–',
  ]);
  return html`<details class="more"><summary>Decided last</summary>
${table({ caption: 'Requests that were decided last', columns: ['Device', 'Verdict', 'By', 'When', 'Note'].map((name) => ({ name })), rows })}</details>`;
}

const queuePanel = ({ open, decided, now }: DevicesView, { userId }: Viewer): Html =>
  panel({
    id: 'queue',
    title:
      open.length === 0
        ? 'Nobody waits for clearance'
        : `${plural(open.length, 'device')} ${open.length === 1 ? 'waits' : 'wait'} for clearance`,
    live: true,
    hint: open.length === 0 ? undefined : freshHint,
    body: html`${open.length === 0 ? emptyState({ text: 'Devices ask at /account/devices, or by the API. They appear here at once.', call: `curl -X POST "$BASE_URL/api/auth/blackops/request-clearance" -b "$COOKIES" \\\n  -H "origin: $BASE_URL" -H 'content-type: application/json' \\\n  -d '{"fingerprint":"laptop"}'` }) : html`<div class="columns">${open.map((each) => asking(each, now))}</div>`}${decidedList(decided, userId)}`,
  });

function figureCards({
  figures: {
    states,
    stale_devices: stale,
    admins_without_device: admins,
    risk_events: risks,
    decisions,
    days,
  },
}: DevicesView): Card[] {
  const state = (name: Device['state']) => withQuery(home, { state: name });
  return [
    {
      name: 'Cleared',
      value: count(states.cleared),
      note: stale.length === 0 ? 'all used lately' : `${count(stale.length)} not used for 14 days`,
      href: state('cleared'),
    },
    {
      name: 'Suspended',
      value: count(states.suspended),
      note: 'by a rule or a person',
      href: state('suspended'),
      ...(states.suspended > 0 ? { tone: 'warn' as const } : {}),
    },
    {
      name: 'Admins without a device',
      value: count(admins.length),
      note: 'can open nothing here',
      ...(admins.length > 0 ? { tone: 'warn' as const } : {}),
    },
    {
      name: 'Risk events',
      value: count(risks.reduce((sum, each) => sum + each.count, 0)),
      note: `last ${days} days`,
    },
    {
      name: 'Decisions',
      value: count(decisions.length),
      note: 'latest, 50 at most',
      href: withQuery(sectionPath('audit'), { action: 'device.*' }),
    },
  ];
}

function attention({
  figures: { stale_devices: stale, admins_without_device: admins, risk_events: risks },
}: DevicesView): Html | undefined {
  const parts = [
    ...(admins.length === 0
      ? []
      : [
          html`<h3>Admins without a device</h3><ul class="notes">${admins.map(({ user_id: id, name }) => html`<li>${userLink(id, name ?? id)}</li>`)}</ul>`,
        ]),
    ...(stale.length === 0
      ? []
      : [
          html`<h3>Not used for 14 days</h3><ul class="notes">${stale.map(({ name, user_id: id, last_seen: seen }) => html`<li>${name}, last ${time(seen)}, ${userLink(id, 'owner')}</li>`)}</ul>`,
        ]),
    ...(risks.length === 0
      ? []
      : [
          html`<h3>Risk events</h3>${table({ caption: 'Risk events by rule', columns: ['Rule', numberColumn('Times')], rows: risks.map(({ rule, count: times }) => [rule.replaceAll('_', ' '), count(times)]) })}`,
        ]),
  ];
  return parts.length === 0
    ? undefined
    : panel({
        id: 'attention',
        title: 'What deserves a look',
        live: true,
        body: html`<div class="columns">${parts.map((part) => html`<div>${part}</div>`)}</div>`,
      });
}

function listPanel(
  { devices, next, state, cursor, figures }: DevicesView,
  { userId }: Viewer,
): Html {
  const all = [
    { href: home, text: 'All', isCurrent: state === undefined },
    ...listedStates.map((each) => ({
      href: withQuery(home, { state: each }),
      text: `${stateName(each)} ${count(figures.states[each])}`,
      isCurrent: each === state,
    })),
  ];
  const first = cursor === undefined ? undefined : withQuery(home, { state });
  const list = html`${deviceTable({ caption: 'Devices, the newest first', devices, viewerId: userId })}${pager({ first, next: next === null ? undefined : withQuery(home, { state, cursor: next }), shown: `${plural(devices.length, 'device')} on this page` })}`;
  return panel({
    id: 'list',
    title: 'All devices',
    live: true,
    body: html`${tabs('State', all)}${devices.length === 0 ? emptyState({ text: state === undefined ? 'No device has asked for clearance yet.' : `No device is ${stateName(state)}.` }) : list}`,
  });
}

const sentences: Readonly<Record<string, string>> = {
  approved: 'The device is cleared.',
  denied: 'Clearance is denied to the device.',
  suspended: 'The device is suspended.',
  restored: 'The device is cleared again.',
  revoked: 'The device is removed for good.',
};

function undoOf(
  { devices }: DevicesView,
  done: string,
  about: string | undefined,
): Html | undefined {
  const device = devices.find(({ id }) => id === about);
  if (device === undefined) return undefined;
  if (done === 'suspended' && device.state === 'suspended')
    return postForm({ action: `${home}/${device.id}/restore`, button: 'Undo' });
  return (done === 'restored' || done === 'approved') && device.state === 'cleared'
    ? postForm({
        action: `${home}/${device.id}/suspend`,
        button: done === 'approved' ? 'Suspend it' : 'Undo',
      })
    : undefined;
}

export interface DevicesNotice {
  done?: string | undefined;
  /** The device that it is about. */
  about?: string | undefined;
  /** What was wrong with a decision. */
  mistake?: string | undefined;
}

/** Who waits for clearance, and all devices. */
export function devicesPage(
  view: DevicesView,
  viewer: Viewer,
  { done, about, mistake }: DevicesNotice,
): ConsolePage {
  const sentence = sentenceOf(sentences, done);
  const said =
    sentence === undefined || done === undefined
      ? undefined
      : notice(sentence, undoOf(view, done, about));
  return {
    section: 'devices',
    title: 'Devices',
    channels: ['devices'],
    every: 60,
    isError: mistake !== undefined,
    notice: mistake === undefined ? said : errorNotice(mistake),
    actions: html`<a href="/account/devices">Your devices</a>`,
    body: html`${queuePanel(view, viewer)}${cards('device-figures', 'Devices in figures', figureCards(view))}${attention(view)}${listPanel(view, viewer)}`,
  };
}
