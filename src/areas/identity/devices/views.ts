import type { z } from 'zod';
import type { RequestWithOwner } from './approval/decisions.ts';
import { bindingOf } from './approval/policy.ts';
import { riskRules } from './recognition/risk.ts';
import type {
  ApprovalView,
  DeviceList,
  DeviceStatusView,
  DeviceView,
  RequestView as RequestSchema,
} from './schemas.ts';
import type { DeviceStatus } from './service.ts';
import type { ApprovalResult } from './approval/service.ts';
import type { Device } from './store.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const sentences: Readonly<Record<string, string>> = {
  ...riskRules,
  owner: 'You suspended this device.',
  admin: 'An admin suspended this device.',
  removal: 'An admin removed this device.',
};

/** The reasons of a suspended device, with texts; empty in other states. */
export function toReasons(device: Device | undefined): { code: string; text: string }[] {
  return device?.state === 'suspended'
    ? device.reasons.map((code) => ({ code, text: sentences[code] ?? code }))
    : [];
}

export function toStatusView({
  device,
  trustScore,
  requirements,
  nonce,
}: DeviceStatus): z.output<typeof DeviceStatusView> {
  return {
    device_id: device?.id ?? null,
    state: device?.state ?? 'unknown',
    binding: device === undefined ? 'fingerprint' : bindingOf(device),
    cleared: device?.state === 'cleared',
    trust_score: trustScore,
    reasons: toReasons(device),
    first_seen: iso(device?.first_seen ?? null),
    last_seen: iso(device?.last_seen ?? null),
    expires_at: iso(device?.expires_at ?? null),
    nonce,
    requirements: [...requirements],
  };
}

export function toApprovalView(
  { device, request, isShown }: ApprovalResult,
  nonce: string,
): z.output<typeof ApprovalView> {
  const isOpen = isShown && device.state === 'pending' && request !== undefined;
  return {
    request_id: request?.id ?? null,
    device_id: device.id,
    state: device.state,
    binding: bindingOf(device),
    expires_at: iso(device.expires_at),
    number: isOpen ? request.number : null,
    nonce,
  };
}

export function toDeviceView(device: Device, currentId: string | undefined): DeviceView {
  const { id, name, state, platform, os, browser, address, country } = device;
  return {
    device_id: id,
    name,
    state,
    binding: bindingOf(device),
    current: id === currentId,
    reasons: toReasons(device),
    platform,
    os,
    browser,
    network: address,
    country,
    first_seen: device.first_seen.toISOString(),
    last_seen: device.last_seen.toISOString(),
    cleared_at: iso(device.cleared_at),
    expires_at: iso(device.expires_at),
  };
}

/** A user's devices; `currentId` is the one that asks for them. */
export const toDeviceList = (
  devices: readonly Device[],
  currentId: string | undefined,
): z.output<typeof DeviceList> => ({
  devices: devices.map((device) => toDeviceView(device, currentId)),
  total: devices.length,
});

/** A request as approvers see it, without its number. */
export function toRequestView(
  { request, device, owner }: RequestWithOwner,
  viewerId: string | undefined,
): z.output<typeof RequestSchema> {
  return {
    request_id: request.id,
    device_id: device.id,
    state: request.state,
    user: {
      id: request.user_id,
      name: owner?.name ?? null,
      email: owner?.identities.find(({ kind }) => kind === 'email')?.value ?? null,
    },
    own: request.user_id === viewerId,
    device_name: device.name,
    binding: bindingOf(device),
    os: device.os,
    browser: device.browser,
    network: request.address,
    country: request.country,
    reason: request.reason,
    created_at: request.created_at.toISOString(),
    expires_at: request.expires_at.toISOString(),
    decided_at: iso(request.decided_at),
    decided_by: request.decided_by,
    note: request.note,
  };
}
