import type { z } from 'zod';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/blackops/dashboard/schemas.dashboard.ts';
import type { Device } from '../../../../areas/blackops/store.ts';
import { type ClearanceQueue, queuePanel } from './clearance-queue.tsx';
import { deviceTable, type DeviceRow } from './device-table.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count, plural } from '../../components/number-format.ts';
import {
  type Card,
  cards,
  emptyState,
  errorNotice,
  notice,
  panel,
  sentenceOf,
  time,
} from '../../components/elements.tsx';
import { postForm } from '../../components/forms.tsx';
import { cursorPager, tabs, withQuery } from '../../components/navigation.tsx';
import { numberColumn, table } from '../../components/tables.tsx';
import { stateName, userLink } from '../labels.tsx';
import { sectionPath } from '../../sections.ts';
import type { Viewer } from '../../request-context.ts';

export interface DevicesView extends ClearanceQueue {
  figures: z.input<typeof DashboardView>;
  devices: readonly DeviceRow[];
  next: string | null;
  /** The state that the list is filtered by. */
  state: Device['state'] | undefined;
  cursor: string | undefined;
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

function figureCards({ figures }: DevicesView): Card[] {
  const { states, stale_devices: stale, admins_without_device: admins } = figures;
  const inState = (state: Device['state']) => withQuery(home, { state });
  return [
    {
      name: 'Cleared',
      value: escapeHtml(count(states.cleared)),
      note:
        stale.length === 0
          ? escapeHtml('all used lately')
          : escapeHtml(`${count(stale.length)} not used for 14 days`),
      href: inState('cleared'),
    },
    {
      name: 'Suspended',
      value: escapeHtml(count(states.suspended)),
      note: escapeHtml('by a rule or a person'),
      href: inState('suspended'),
      tone: states.suspended > 0 ? 'warn' : undefined,
    },
    {
      name: 'Admins without a device',
      value: escapeHtml(count(admins.length)),
      note: escapeHtml('can open nothing here'),
      tone: admins.length > 0 ? 'warn' : undefined,
    },
    {
      name: 'Risk events',
      value: escapeHtml(count(figures.risk_events.reduce((sum, each) => sum + each.count, 0))),
      note: escapeHtml(`last ${figures.days} days`),
    },
    {
      name: 'Decisions',
      value: escapeHtml(count(figures.decisions.length)),
      note: escapeHtml('latest, 50 at most'),
      href: withQuery(sectionPath('audit'), { action: 'device.*' }),
    },
  ];
}

/** A column of the panel below; none without entries. */
const attentionPart = (title: string, entries: Html[]): Html[] =>
  entries.length === 0
    ? []
    : [
        <div>
          <h3 safe>{title}</h3>
          <ul class="notes">{entries}</ul>
        </div>,
      ];

/** Devices and admins that need attention. Undefined if there are none. */
function attentionPanel({ figures }: DevicesView): Html | undefined {
  const { stale_devices: stale, admins_without_device: admins, risk_events: risks } = figures;
  const riskTable = table({
    caption: 'Risk events by rule',
    columns: ['Rule', numberColumn('Times')],
    rows: risks.map(({ rule, count: times }) => [
      escapeHtml(rule.replaceAll('_', ' ')),
      escapeHtml(count(times)),
    ]),
  });
  const parts = [
    ...attentionPart(
      'Admins without a device',
      admins.map(({ user_id: id, name }) => <li>{userLink(id, name ?? id)}</li>),
    ),
    ...attentionPart(
      'Not used for 14 days',
      stale.map(({ name, user_id: id, last_seen: seen }) => (
        <li>
          {escapeHtml(name)}, last {time(seen)}, {userLink(id, 'owner')}
        </li>
      )),
    ),
    ...(risks.length === 0
      ? []
      : [
          <div>
            <h3>Risk events</h3>
            {riskTable}
          </div>,
        ]),
  ];
  return parts.length === 0
    ? undefined
    : panel({
        id: 'attention',
        title: 'What deserves a look',
        live: true,
        body: <div class="columns">{parts}</div>,
      });
}

function listPanel(
  { devices, next, state, cursor, figures }: DevicesView,
  { userId }: Viewer,
): Html {
  const stateTabs = tabs('State', [
    { href: home, text: 'All', isCurrent: state === undefined },
    ...listedStates.map((each) => ({
      href: withQuery(home, { state: each }),
      text: `${stateName(each)} ${count(figures.states[each])}`,
      isCurrent: each === state,
    })),
  ]);
  const none =
    state === undefined
      ? 'No device has asked for clearance yet.'
      : `No device is ${stateName(state)}.`;
  const pages = cursorPager({
    path: home,
    query: { state },
    isFirst: cursor === undefined,
    next,
    shown: `${plural(devices.length, 'device')} on this page`,
  });
  const list =
    devices.length === 0
      ? [emptyState({ text: none })]
      : [deviceTable({ caption: 'Devices, the newest first', devices, viewerId: userId }), pages];
  return panel({ id: 'list', title: 'All devices', live: true, body: [stateTabs, ...list] });
}

const sentences: Readonly<Record<string, string>> = {
  approved: 'The device is cleared.',
  denied: 'Clearance is denied to the device.',
  suspended: 'The device is suspended.',
  restored: 'The device is cleared again.',
  revoked: 'The device is removed for good.',
};

/** A form that reverts what was just done. Undefined if it no longer applies. */
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
  /** The device that the notice is about. */
  about?: string | undefined;
  /** What was wrong with a decision. */
  mistake?: string | undefined;
}

/** Requests for clearance, and all devices. */
export function devicesPage(
  view: DevicesView,
  viewer: Viewer,
  { done, about, mistake }: DevicesNotice,
): ConsolePage {
  const sentence = sentenceOf(sentences, done);
  const doneNotice =
    sentence === undefined || done === undefined
      ? undefined
      : notice(sentence, undoOf(view, done, about));
  return {
    section: 'devices',
    title: 'Devices',
    channels: ['devices'],
    every: 60,
    isError: mistake !== undefined,
    notice: mistake === undefined ? doneNotice : errorNotice(mistake),
    actions: <a href="/account/devices">Your devices</a>,
    body: [
      queuePanel(view, viewer.userId),
      cards('device-figures', 'Devices in figures', figureCards(view)),
      attentionPanel(view),
      listPanel(view, viewer),
    ],
  };
}
