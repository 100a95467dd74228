import type { z } from 'zod';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { rich } from '../../../../lib/text/rich.ts';
import type { DashboardView } from '../../../../areas/identity/devices/dashboard/schemas.ts';
import type { Device } from '../../../../areas/identity/devices/store.ts';
import { type RequestQueue, queuePanel } from './request-queue.tsx';
import { type DeviceRow, DeviceTable } from './device-table.tsx';
import { undoOfDevice } from './device-undo.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { count } from '../../components/number-format.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type StatOptions, Stats } from '../../../../platform/ui/components/stat.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { cursorPager, tabs, withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import { stateName, userLink, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';
import type { Viewer } from '../../viewer.ts';

export interface DevicesView extends RequestQueue {
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

function stats({ figures }: DevicesView): StatOptions[] {
  const words = texts.devices.figures;
  const { states, stale_devices: stale, admins_without_device: admins } = figures;
  const inState = (state: Device['state']) => withQuery(home, { state });
  return [
    {
      label: words.approved,
      value: count(states.cleared),
      note: stale.length === 0 ? words.allUsed : words.unused({ count: stale.length }),
      href: inState('cleared'),
    },
    {
      label: words.suspended,
      value: count(states.suspended),
      note: words.suspendedNote,
      href: inState('suspended'),
      tone: states.suspended > 0 ? 'warn' : undefined,
    },
    {
      label: words.adminsWithout,
      value: count(admins.length),
      note: words.adminsWithoutNote,
      tone: admins.length > 0 ? 'warn' : undefined,
    },
    {
      label: words.risks,
      value: count(figures.risk_events.reduce((sum, each) => sum + each.count, 0)),
      note: words.risksNote({ days: figures.days }),
      href: withQuery(sectionPath('audit'), { action: 'device.flagged' }),
    },
  ];
}

const attention = texts.devices.attention;

type Risk = DevicesView['figures']['risk_events'][number];

const riskColumns: readonly Column<Risk>[] = [
  { title: attention.rule, text: ({ rule }) => rule.replaceAll('_', ' ') },
  { title: attention.times, text: (risk) => count(risk.count), isNumber: true },
];

/** A column of the panel below; none without entries. */
const attentionPart = (title: string, entries: readonly Html[]): Html | undefined =>
  entries.length === 0 ? undefined : (
    <div>
      <h3 safe>{title}</h3>
      <ul class="notes">{entries}</ul>
    </div>
  );

/** Devices and admins that need attention. Undefined if there are none. */
function attentionPanel({ figures }: DevicesView): Html | undefined {
  const { stale_devices: stale, admins_without_device: admins, risk_events: risks } = figures;
  if (stale.length + admins.length + risks.length === 0) return undefined;
  return (
    <Card id="attention" title={attention.title} isLive>
      <div class="columns">
        {attentionPart(
          attention.adminsWithout,
          admins.map(({ user_id: id, name }) => <li>{userLink(id, name ?? id)}</li>),
        )}
        {attentionPart(
          attention.unused,
          stale.map(({ name, user_id: id, last_seen: seen }) => (
            <li>
              {rich(attention.unusedItem, {
                name: () => escapeHtml(name),
                seen: () => <Time at={seen} />,
                owner: (text) => <a href={userPath(id)}>{text}</a>,
              })}
            </li>
          )),
        )}
        {risks.length > 0 && (
          <div>
            <h3 safe>{attention.risks}</h3>
            <Table caption={attention.risksCaption} columns={riskColumns} rows={risks} />
          </div>
        )}
      </div>
    </Card>
  );
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
  const pager = {
    path: home,
    query: { state },
    isFirst: cursor === undefined,
    next,
    shown: words.shown({ count: devices.length }),
  };
  return (
    <Card id="list" title={words.title} isLive>
      {stateTabs}
      <DeviceTable
        caption={words.caption}
        devices={devices}
        viewerId={userId}
        empty={<EmptyState icon="list" text={none} />}
      />
      {devices.length > 0 && cursorPager(pager)}
    </Card>
  );
}

export interface DevicesNotice {
  done?: string | undefined;
  /** The device that the notice is about. */
  about?: string | undefined;
}

/** Requests for approval, and all devices. */
export function devicesPage(
  view: DevicesView,
  viewer: Viewer,
  { done, about }: DevicesNotice,
): ConsolePage {
  const changed = view.devices.find(({ id }) => id === about);
  const undo = done === undefined ? undefined : undoOfDevice(changed, done);
  return {
    section: 'devices',
    title: texts.devices.title,
    channels: ['devices'],
    every: 60,
    notice: doneNotice(texts.devices.notices, done, { undo }),
    actions: (
      <a href="/account/devices" safe>
        {texts.devices.yourDevices}
      </a>
    ),
    body: [
      queuePanel(view, viewer.userId),
      <Stats id="device-figures" label={texts.devices.figures.label} all={stats(view)} isLive />,
      attentionPanel(view),
      listPanel(view, viewer),
    ],
  };
}
