import { html, type Html } from '../../../../lib/text/html.ts';
import type { Device } from '../../../../areas/blackops/store.ts';
import { postForm, confirmForm } from '../../components/forms.ts';
import { actionsColumn, table } from '../../components/tables.ts';
import { time } from '../../components/elements.ts';
import { stateBadge, userLink } from '../labels.ts';
import { sectionPath } from '../../sections.ts';

/** A device in words. */
export interface DeviceRow {
  id: string;
  userId: string;
  /** What its owner is called. */
  owner: string;
  name: string;
  state: Device['state'];
  /** Browser and system. */
  program: string;
  /** What binds it, to be said after "bound by". */
  bound: string;
  /** Where it was seen last: country and network. */
  place: string;
  /** Why it is suspended. */
  reasons: readonly string[];
  lastSeen: Date;
  expiresAt: Date | null;
}

const home = sectionPath('devices');

function forms({ id, name, state }: DeviceRow, from: string | undefined): Html {
  const about = `device-${id}`;
  const form = (act: string, button: string) =>
    postForm({ action: `${home}/${id}/${act}`, values: { from }, button, about });
  const remove = confirmForm({
    id: `remove-${id}`,
    action: `${home}/${id}/revoke`,
    values: { from },
    open: 'Remove',
    word: name,
    button: 'Remove for good',
    warning:
      'Its sessions end at once, and it stays removed: its owner has to ask for clearance again.',
  });
  return html`${state === 'cleared' ? form('suspend', 'Suspend') : undefined}${state === 'suspended' ? form('restore', 'Restore') : undefined}${state === 'revoked' ? undefined : remove}`;
}

/** What can be done with a device; the own ones are looked after at the page for that. */
const actsOn = (device: DeviceRow, viewerId: string, from: string | undefined): Html =>
  device.userId === viewerId ? html`<a href="/account/devices">Yours</a>` : forms(device, from);

/**
 * Devices with what can be done with them. `from`: the page of their owner leads back to itself,
 * and needs no column for the owner.
 */
export function deviceTable({
  caption,
  devices,
  viewerId,
  from,
}: {
  caption: string;
  devices: readonly DeviceRow[];
  viewerId: string;
  from?: 'user' | undefined;
}): Html {
  const columns = [
    'Device',
    ...(from === undefined ? ['Owner'] : []),
    'State',
    'Bound by',
    'Seen last',
    'Clearance ends',
  ].map((name) => ({ name }));
  return table({
    caption,
    columns: [...columns, actionsColumn('Change')],
    rows: devices.map((device) => [
      html`<span id="device-${device.id}">${device.name}</span><br><span class="hint">${device.program}</span>`,
      ...(from === undefined ? [userLink(device.userId, device.owner)] : []),
      html`${stateBadge(device.state)}${device.reasons.map((reason) => html`<br><span class="hint">${reason}</span>`)}`,
      device.bound,
      html`${time(device.lastSeen)}<br><span class="hint">${device.place}</span>`,
      device.state === 'cleared' ? time(device.expiresAt) : '–',
      actsOn(device, viewerId, from),
    ]),
  });
}
