import { AppError } from '../../../../platform/errors/errors.ts';
import { operationsOf } from '../../../../platform/operations/operation.ts';
import type { DevicesContext } from '../compose.ts';
import { blackopsErrors } from '../errors.ts';
import { bodyLimit, deviceLimits } from '../limits.ts';
import {
  ApproveBody,
  ApprovalView,
  DecidedView,
  DenyBody,
  DeviceFingerprintBody,
  DeviceParams,
  DeviceStatusView,
  RequestList,
  RequestListQuery,
} from '../schemas.ts';
import { toApprovalView, toRequestView, toStatusView } from '../views.ts';

const operation = operationsOf<DevicesContext>({
  scope: 'admin',
  tag: 'blackops',
  limit: deviceLimits.admin,
  refusesRepeats: true,
});

/** The public status of the device that a request comes from. */
export const statusOperations = [
  operation({
    scope: 'public',
    id: 'blackops.status',
    path: 'POST /api/auth/blackops/status',
    limit: deviceLimits.read,
    summary: 'Get the state of this device',
    description:
      'Identifies the device by its cookie or key proof. Without a session the ' +
      'state is `unknown`. Use `nonce` for the next DPoP proof (RFC 9449).',
    body: DeviceFingerprintBody,
    output: DeviceStatusView,
    errors: ['auth.csrf_origin', 'blackops.invalid_dpop_proof', 'blackops.use_dpop_nonce'],
    route: { bodyLimit },
    async run(
      { devices, deviceSignals, deviceCookie, guards },
      { fingerprint, proof },
      { request, reply },
    ) {
      const principal = await guards.peek(request);
      const session = principal?.kind === 'user' ? request.session : undefined;
      const signals = deviceSignals.of(request, proof);
      const hash = devices.fingerprintHash(fingerprint);
      const status = await devices.statusOf(session, hash, signals);
      if (status.cookie !== undefined)
        void reply.header('set-cookie', deviceCookie.header(status.cookie));
      void reply.header('dpop-nonce', status.nonce);
      return toStatusView(status);
    },
  }),
];

/** Returns the RFC 7638 thumbprint of a public key. */
const thumbprint = async (key: NonNullable<DeviceFingerprintBody['public_key']>): Promise<string> =>
  (await import('jose')).calculateJwkThumbprint(key);

/** Deletes the cookie of a revoked device: with it, the browser could never request again. */
const refuseWithout =
  ({ deviceCookie }: DevicesContext) =>
  (error: unknown): never => {
    if (!(error instanceof AppError) || error.code !== 'blackops.device_revoked') throw error;
    throw blackopsErrors.device_revoked({ headers: { 'set-cookie': deviceCookie.cleared } });
  };

/** Requesting approval of one's own device. */
export const requestApprovalOperation = operation({
  scope: 'signedIn',
  id: 'blackops.request_clearance',
  path: 'POST /api/auth/blackops/request-clearance',
  limit: deviceLimits.change,
  summary: 'Request approval of this device',
  description:
    'If a request is already open, returns that request. Give the `number` to the ' +
    'approving admin. Browsers get a device cookie; other clients send a ' +
    '`public_key` with a `proof`.',
  body: DeviceFingerprintBody,
  output: ApprovalView,
  errors: [
    'blackops.binding_required',
    'blackops.too_many_requests',
    'blackops.device_denied',
    'blackops.device_suspended',
    'blackops.device_revoked',
  ],
  route: { bodyLimit },
  async run(context, body, { request, reply }) {
    const { devices, deviceSignals, deviceCookie, guards } = context;
    const signals = deviceSignals.of(request, body.proof);
    const nonce = devices.nonces.current();
    if (body.public_key !== undefined)
      await devices.proveKey(await thumbprint(body.public_key), await signals.proof());
    const input = {
      fingerprintHash: devices.fingerprintHash(body.fingerprint),
      deviceId: body.device_id,
      name: body.device_name,
      reason: body.reason === '' ? undefined : body.reason,
    };
    const result = await devices
      .requestApproval(guards.sessionOf(request), input, signals)
      .catch(refuseWithout(context));
    if (result.cookie !== undefined)
      void reply.header('set-cookie', deviceCookie.header(result.cookie));
    void reply.header('dpop-nonce', nonce);
    return toApprovalView(result, nonce);
  },
});

/** Decisions of admins about the devices of others. */
export const decisionOperations = [
  operation({
    id: 'blackops.list_requests',
    path: 'GET /api/auth/blackops/requests',
    summary: 'List approval requests',
    description:
      'Open requests, oldest first, or the most recently decided ones. The request ' +
      'number shown on the device is not included; ask the owner of the device for ' +
      'it.',
    query: RequestListQuery,
    output: RequestList,
    async run({ devices }, { state }, { by, signal }) {
      const requests = await devices.decisions.list(state, signal);
      const viewer = by.actor.kind === 'user' ? by.actor.id : undefined;
      return {
        requests: requests.map((request) => toRequestView(request, viewer)),
        total: requests.length,
      };
    },
  }),
  operation({
    id: 'blackops.approve_request',
    path: 'POST /api/auth/blackops/requests/:id/approve',
    summary: 'Approve a device',
    description:
      'Only for devices of other users, within five minutes of signing in. `number` ' +
      'is the number shown on the device; ask its owner for it. The third wrong ' +
      'number denies the request.',
    params: DeviceParams,
    body: ApproveBody,
    output: DecidedView,
    errors: [
      'auth.step_up_required',
      'blackops.wrong_number',
      'blackops.own_request',
      'blackops.request_not_found',
      'blackops.already_decided',
    ],
    async run({ devices, deviceGuards, guards }, { id, number, note }, { request }) {
      guards.requireFresh(request);
      const decision = { isApproved: true, number, note };
      const approver = deviceGuards.approverOf(request);
      const device = await devices.decisions.decide(id, decision, approver);
      return { device_id: device.id, state: device.state };
    },
  }),
  operation({
    id: 'blackops.deny_request',
    path: 'POST /api/auth/blackops/requests/:id/deny',
    summary: 'Deny a device',
    description:
      'Only for devices of other users, within five minutes of signing in. A denied ' +
      'device can only be removed.',
    params: DeviceParams,
    body: DenyBody,
    output: DecidedView,
    errors: [
      'auth.step_up_required',
      'blackops.own_request',
      'blackops.request_not_found',
      'blackops.already_decided',
    ],
    async run({ devices, deviceGuards, guards }, input, { request }) {
      guards.requireFresh(request);
      const { id, note } = { note: undefined, ...input };
      const decision = { isApproved: false, number: undefined, note };
      const approver = deviceGuards.approverOf(request);
      const device = await devices.decisions.decide(id, decision, approver);
      return { device_id: device.id, state: device.state };
    },
  }),
];
