import { type Content, escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Device } from '../../../../areas/blackops/store.ts';
import { postForm, confirmForm } from '../../components/forms.tsx';
import { actionsColumn, type Row, table } from '../../components/tables.tsx';
import { time } from '../../components/elements.tsx';
import { stateBadge, userLink } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { sectionPath } from '../../sections.ts';

/** A device, with texts. */
export interface DeviceRow {
  id: string;
  userId: string;
  /** Display name of its owner. */
  owner: string;
  name: string;
  state: Device['state'];
  /** Browser and system. */
  program: string;
  /** What binds it. */
  bound: string;
  /** Country and network where it was last seen. */
  place: string;
  /** Why it is suspended. */
  reasons: readonly string[];
  lastSeen: Date;
  expiresAt: Date | null;
}

const home = sectionPath('devices');
const words = texts.devices.table;

/** The actions for a device. `from`: the page that the forms lead back to. */
function actionForms({ id, name, state }: DeviceRow, from: DeviceTableOptions['from']): Content {
  if (state === 'revoked') return [];
  const form = (verb: string, button: string) =>
    postForm({
      action: `${home}/${id}/${verb}`,
      values: { from },
      button,
      about: `device-${id}`,
    });
  const remove = confirmForm({
    id: `remove-${id}`,
    action: `${home}/${id}/revoke`,
    values: { from },
    open: words.remove,
    word: name,
    button: words.removeConfirm,
    warning: words.removeWarning,
  });
  return [
    state === 'cleared' ? form('suspend', words.suspend) : undefined,
    state === 'suspended' ? form('restore', words.restore) : undefined,
    remove,
  ];
}

export interface DeviceTableOptions {
  caption: string;
  devices: readonly DeviceRow[];
  viewerId: string;
  /** `user`: the table is on the page of the owner, and has no column for the owner. */
  from?: 'user' | undefined;
}

const below = (text: string): Html => (
  <>
    <br />
    <span class="hint" safe>
      {text}
    </span>
  </>
);

/** A table of devices with actions. Viewers manage their own devices on another page. */
export function deviceTable({ caption, devices, viewerId, from }: DeviceTableOptions): Html {
  const hasOwner = from === undefined;
  const row = (device: DeviceRow): Row => [
    <>
      <span id={`device-${device.id}`} safe>
        {device.name}
      </span>
      {device.program !== device.name && below(device.program)}
    </>,
    ...(hasOwner ? [userLink(device.userId, device.owner)] : []),
    <>
      {stateBadge(device.state)}
      {device.reasons.map(below)}
    </>,
    escapeHtml(device.bound),
    <>
      {time(device.lastSeen)}
      {below(device.place)}
    </>,
    device.state === 'cleared' ? time(device.expiresAt) : escapeHtml('–'),
    device.userId === viewerId ? (
      <a href="/account/devices" safe>
        {words.own}
      </a>
    ) : (
      <div class="btn-row">{actionForms(device, from)}</div>
    ),
  ];
  const { columns } = words;
  return table({
    caption,
    columns: [
      columns.device,
      ...(hasOwner ? [columns.owner] : []),
      columns.status,
      columns.bound,
      columns.lastSeen,
      columns.expires,
      actionsColumn(texts.actions),
    ],
    rows: devices.map(row),
  });
}
