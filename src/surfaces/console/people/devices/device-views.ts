import type { RequestWithOwner } from '../../../../areas/identity/devices/approval/decisions.ts';
import { blackopsErrors } from '../../../../areas/identity/devices/errors.ts';
import { bindingOf } from '../../../../areas/identity/devices/approval/policy.ts';
import { countryOf, programOf } from '../../../../areas/identity/devices/pages/page-parts.tsx';
import { isBeingRemoved } from '../../../../areas/identity/devices/management/removal.ts';
import type { Device } from '../../../../areas/identity/devices/store.ts';
import { toReasons, toRequestView } from '../../../../areas/identity/devices/views.ts';
import type { ConsoleContext } from '../../context.ts';
import type { DeviceRow } from './device-table.tsx';
import type { ApprovalRequest } from './request-queue.tsx';
import type { DevicesView } from './devices-page.tsx';
import { texts } from '../texts/en.ts';
import { readNames } from '../user-names.ts';

const pageSize = 25;
const maxDecided = 20;
const figureDays = 30;

function locationOf(country: string | null, network: string | null): string {
  const { location, unknownLocation, unknownNetwork } = texts.devices;
  if (country === null) return network ?? unknownLocation;
  return location({ country: countryOf(country), network: network ?? unknownNetwork });
}

/** A device whose removal can still be undone is shown as removed. */
const removalOf = (device: Device): Pick<DeviceRow, 'state' | 'undoableUntil'> =>
  isBeingRemoved(device)
    ? { state: 'revoked', undoableUntil: device.expires_at ?? undefined }
    : { state: device.state, undoableUntil: undefined };

/** Converts a device for the table. `owner`: display name of its owner. */
export const toDeviceRow = (device: Device, owner: string): DeviceRow => ({
  id: device.id,
  userId: device.user_id,
  owner,
  name: device.name,
  ...removalOf(device),
  program: programOf(device),
  bound: texts.devices.bindings[bindingOf(device)],
  place: locationOf(device.country, device.address),
  reasons: toReasons(device).map(({ text }) => text),
  firstSeen: device.first_seen,
  lastSeen: device.last_seen,
  expiresAt: device.expires_at,
});

function toApprovalRequest(request: RequestWithOwner, viewerId: string): ApprovalRequest {
  const view = toRequestView(request, viewerId);
  return {
    ...view,
    program: programOf(view),
    bound: texts.devices.bindings[view.binding],
    location: locationOf(view.country, view.network),
  };
}

/** Reads what the page of all devices shows. */
export async function readDevices(
  context: ConsoleContext,
  viewerId: string,
  { state, cursor }: Pick<DevicesView, 'state' | 'cursor'>,
  signal: AbortSignal,
): Promise<DevicesView> {
  const { clock, devices, dashboard } = context;
  const { decisions, management } = devices;
  const [open, decided, figures, { data, next_cursor: next }] = await Promise.all([
    decisions.list('open', signal),
    decisions.list('decided', signal),
    dashboard.overview(figureDays, signal),
    management.list({ state, cursor, limit: pageSize }, signal),
  ]);
  const owners = await readNames(
    context,
    data.map(({ user_id: id }) => id),
  );
  return {
    open: open.map((request) => toApprovalRequest(request, viewerId)),
    decided: decided.slice(0, maxDecided).map((request) => toApprovalRequest(request, viewerId)),
    figures,
    devices: data.map((device) => ({
      ...toDeviceRow(device, owners.get(device.user_id) ?? device.user_id),
      requestId: open.find((each) => each.device.id === device.id)?.request.id,
    })),
    next,
    state,
    cursor,
    now: clock.now(),
  };
}

/** Reads a request for approval, open or decided. Throws `blackops.request_not_found`. */
export async function readRequest(
  { devices: { decisions } }: ConsoleContext,
  viewerId: string,
  id: string,
  signal: AbortSignal,
): Promise<ApprovalRequest> {
  const both = await Promise.all([
    decisions.list('open', signal),
    decisions.list('decided', signal),
  ]);
  const found = both.flat().find(({ request }) => request.id === id);
  if (found === undefined) throw blackopsErrors.request_not_found();
  return toApprovalRequest(found, viewerId);
}
