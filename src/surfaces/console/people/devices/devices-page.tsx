import type { z } from 'zod';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { DashboardView } from '../../../../areas/blackops/dashboard/schemas.dashboard.ts';
import type { Device } from '../../../../areas/blackops/store.ts';
import { type ClearanceQueue, queuePanel } from './clearance-queue.tsx';
import { deviceTable, type DeviceRow } from './device-table.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import {
  type Figure,
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
import { stateName, userLink, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
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

function figureCards({ figures }: DevicesView): Figure[] {
  const words = texts.devices.figures;
  const { states, stale_devices: stale, admins_without_device: admins } = figures;
  const inState = (state: Device['state']) => withQuery(home, { state });
  return [
    {
      name: words.approved,
      value: escapeHtml(count(states.cleared)),
      note:
        stale.length === 0
          ? escapeHtml(words.allUsed)
          : escapeHtml(words.unused({ count: stale.length })),
      href: inState('cleared'),
    },
    {
      name: words.suspended,
      value: escapeHtml(count(states.suspended)),
      note: escapeHtml(words.suspendedNote),
      href: inState('suspended'),
      tone: states.suspended > 0 ? 'warn' : undefined,
    },
    {
      name: words.adminsWithout,
      value: escapeHtml(count(admins.length)),
      note: escapeHtml(words.adminsWithoutNote),
      tone: admins.length > 0 ? 'warn' : undefined,
    },
    {
      name: words.risks,
      value: escapeHtml(count(figures.risk_events.reduce((sum, each) => sum + each.count, 0))),
      note: escapeHtml(words.risksNote({ days: figures.days })),
    },
    {
      name: words.decisions,
      value: escapeHtml(count(figures.decisions.length)),
      note: escapeHtml(words.decisionsNote),
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
  const words = texts.devices.attention;
  const { stale_devices: stale, admins_without_device: admins, risk_events: risks } = figures;
  const riskTable = table({
    caption: words.risksCaption,
    columns: [words.rule, numberColumn(words.times)],
    rows: risks.map(({ rule, count: times }) => [
      escapeHtml(rule.replaceAll('_', ' ')),
      escapeHtml(count(times)),
    ]),
  });
  const parts = [
    ...attentionPart(
      words.adminsWithout,
      admins.map(({ user_id: id, name }) => <li>{userLink(id, name ?? id)}</li>),
    ),
    ...attentionPart(
      words.unused,
      stale.map(({ name, user_id: id, last_seen: seen }) => (
        <li>
          {rich(words.unusedItem, {
            name: () => escapeHtml(name),
            seen: () => time(seen),
            owner: (text) => <a href={userPath(id)}>{text}</a>,
          })}
        </li>
      )),
    ),
    ...(risks.length === 0
      ? []
      : [
          <div>
            <h3 safe>{words.risks}</h3>
            {riskTable}
          </div>,
        ]),
  ];
  return parts.length === 0
    ? undefined
    : panel({
        id: 'attention',
        title: words.title,
        live: true,
        body: <div class="columns">{parts}</div>,
      });
}

function listPanel(
  { devices, next, state, cursor, figures }: DevicesView,
  { userId }: Viewer,
): Html {
  const words = texts.devices.list;
  const stateTabs = tabs(words.tabs, [
    { href: home, text: words.all, isCurrent: state === undefined },
    ...listedStates.map((each) => ({
      href: withQuery(home, { state: each }),
      text: words.tab({ state: stateName(each), count: figures.states[each] }),
      isCurrent: each === state,
    })),
  ]);
  const none = state === undefined ? words.none : words.noneInState({ state: stateName(state) });
  const pages = cursorPager({
    path: home,
    query: { state },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: devices.length }),
  });
  const list =
    devices.length === 0
      ? [emptyState({ text: none })]
      : [deviceTable({ caption: words.caption, devices, viewerId: userId }), pages];
  return panel({ id: 'list', title: words.title, live: true, body: [stateTabs, ...list] });
}

/** A form that reverts what was just done. Undefined if it no longer applies. */
function undoOf(
  { devices }: DevicesView,
  done: string,
  about: string | undefined,
): Html | undefined {
  const device = devices.find(({ id }) => id === about);
  if (device === undefined) return undefined;
  if (done === 'suspended' && device.state === 'suspended')
    return postForm({ action: `${home}/${device.id}/restore`, button: texts.undo });
  return (done === 'restored' || done === 'approved') && device.state === 'cleared'
    ? postForm({
        action: `${home}/${device.id}/suspend`,
        button: done === 'approved' ? texts.devices.suspendApproved : texts.undo,
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
  const sentence = sentenceOf(texts.devices.notices, done);
  const doneNotice =
    sentence === undefined || done === undefined
      ? undefined
      : notice(sentence, undoOf(view, done, about));
  return {
    section: 'devices',
    title: texts.devices.title,
    channels: ['devices'],
    every: 60,
    isError: mistake !== undefined,
    notice: mistake === undefined ? doneNotice : errorNotice(mistake),
    actions: (
      <a href="/account/devices" safe>
        {texts.devices.yourDevices}
      </a>
    ),
    body: [
      queuePanel(view, viewer.userId),
      cards('device-figures', texts.devices.figures.label, figureCards(view)),
      attentionPanel(view),
      listPanel(view, viewer),
    ],
  };
}
