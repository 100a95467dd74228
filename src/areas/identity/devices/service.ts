import { createHmac } from 'node:crypto';
import type { Session } from '../sessions/service.ts';
import { createDecisions } from './approval/decisions.ts';
import { createSweep } from './approval/expiry.ts';
import { createNotices } from './approval/notices.ts';
import { type Requirement, requirementsOf, trustScore } from './approval/policy.ts';
import { createApprovals } from './approval/service.ts';
import { type ApprovalRequest, approvalRequestStore } from './approval/store.ts';
import type { DeviceResources } from './context.ts';
import { createManagement } from './management/service.ts';
import { createDeviceSecrets } from './recognition/device-secrets.ts';
import { createNonces } from './recognition/nonces.ts';
import { faultOf, proofError } from './recognition/proof-faults.ts';
import { createProofs, type ProofCheck } from './recognition/proofs.ts';
import { createRecognition, type RecognisedDevice } from './recognition/recognition.ts';
import type { DeviceSignals } from './recognition/signals.ts';
import type { Device } from './store.ts';
import { createTransitions } from './transitions.ts';

/** The status of a device, as its own client may see it. */
export interface DeviceStatus {
  device: Device | undefined;
  trustScore: number;
  requirements: readonly Requirement[];
  nonce: string;
  cookie: string | undefined;
}

/** Device security: enrolment, recognition, approval and management of devices. */
export function createDevices(resources: DeviceResources) {
  const { db, redis, keys, clock, policy } = resources;
  const nonces = createNonces({ key: keys('dpop-nonces'), clock });
  const parts = {
    ...resources,
    nonces,
    secrets: createDeviceSecrets(keys('devices')),
    notices: createNotices(resources),
    transitions: createTransitions(resources),
  };
  const recognition = createRecognition(parts);
  const fingerprintKey = keys('fingerprints');

  return {
    policy,
    nonces,
    ...recognition,
    ...createApprovals({ ...parts, recognition }),
    management: createManagement({ ...parts, recognition }),
    decisions: createDecisions(parts),
    sweep: createSweep(parts),
    proofs: createProofs({ redis, nonces, clock }),
    missingRequirements,
    statusOf,

    findOpenRequest: (deviceId: string): Promise<ApprovalRequest | undefined> =>
      approvalRequestStore.findOpen(db, deviceId),

    /** Throws the error of `proofError` unless the request proves this key (RFC 9449). */
    async proveKey(jkt: string, check: ProofCheck | undefined): Promise<void> {
      if (check?.isValid === true && check.jkt === jkt) return;
      throw proofError(faultOf(check), nonces.current());
    },

    /** Returns the HMAC of a client's fingerprint; the fingerprint itself is never stored. */
    fingerprintHash: (fingerprint: string): string =>
      createHmac('sha256', fingerprintKey).update(fingerprint).digest('hex'),
  };

  /** What the request still lacks for actions that need an approved device. */
  function missingRequirements(
    session: Session,
    recognised: RecognisedDevice | undefined,
    { isSafe, from }: DeviceSignals,
  ): Requirement[] {
    const { device, hasProved } = { hasProved: false, device: undefined, ...recognised };
    return requirementsOf(policy, session, { device, hasProved, isSafe, from }, clock.now());
  }

  /** Returns the status of the request's device. A fingerprint alone identifies none. */
  async function statusOf(
    session: Session | undefined,
    fingerprintHash: string,
    signals: DeviceSignals,
  ): Promise<DeviceStatus> {
    const nonce = nonces.current();
    if (session === undefined)
      return {
        device: undefined,
        trustScore: 0,
        requirements: ['sign_in', 'clearance'],
        nonce,
        cookie: undefined,
      };
    const recognised = await recognition.recognise(session, signals, { expectsProof: true });
    const device = recognised?.device;
    if (recognised !== undefined && recognised.device.state !== 'revoked')
      await recognition.bind(session, recognised.device, {
        hasProved: recognised.hasProved,
        from: signals.from,
      });
    return {
      device,
      trustScore: trustScore(device, device?.fingerprint_hash === fingerprintHash),
      requirements: missingRequirements(session, recognised, signals),
      nonce,
      cookie: recognised?.nextCookie,
    };
  }
}

export type Devices = ReturnType<typeof createDevices>;
