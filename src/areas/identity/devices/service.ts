import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../../lib/clock.ts';
import type { Publisher } from '../../../platform/bus/types.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Keys } from '../../../platform/crypto/keys.ts';
import type { Audit } from '../../audit/service.ts';
import type { Session, Sessions } from '../sessions/service.ts';
import type { Messages } from '../../comms/service.ts';
import type { User } from '../users/model.ts';
import { createApprovals } from './approval/service.ts';
import { createDecisions } from './approval/decisions.ts';
import { createDeviceSecrets } from './recognition/device-secrets.ts';
import { createFirstDevices } from './approval/first-devices.ts';
import { createSweep } from './approval/expiry.ts';
import { createManagement } from './management/service.ts';
import { createNonces } from './recognition/nonces.ts';
import { createNotices } from './approval/notices.ts';
import {
  type DevicePolicy,
  type Requirement,
  requirementsOf,
  trustScore,
} from './approval/policy.ts';
import type { DeviceSignals } from './recognition/signals.ts';
import { createProofs, type ProofCheck } from './recognition/proofs.ts';
import { faultOf, proofError } from './recognition/proof-faults.ts';
import { createRecognition, type RecognisedDevice } from './recognition/recognition.ts';
import { type ApprovalRequest, requestStore } from './approval/store.ts';
import { createRotation } from './recognition/rotation.ts';
import { createSignInBinding } from './recognition/sign-in-binding.ts';
import type { Device } from './store.ts';
import { createTransitions } from './transitions.ts';

export interface DevicesDeps {
  db: Database;
  redis: Redis;
  keys: Keys;
  clock: Clock;
  logger: Logger;
  audit: Pick<Audit, 'record' | 'recordIn'>;
  sessions: Pick<Sessions, 'setDevice' | 'setDeviceState' | 'endOnDevice' | 'end'>;
  messages: Pick<Messages, 'send'>;
  publisher: Pick<Publisher, 'publishInBackground'>;
  findUser: (id: string) => Promise<User | undefined>;
  policy: DevicePolicy;
  baseUrl: string;
  /** Development sign-in without a proof is enabled. */
  isDevelopment: boolean;
}

/** The status of a device, as its own client may see it. */
export interface DeviceStatus {
  device: Device | undefined;
  trustScore: number;
  requirements: readonly Requirement[];
  nonce: string;
  cookie: string | undefined;
}

/** Creates the parts of the service and wires them together. */
function createParts(deps: DevicesDeps) {
  const { db, redis, keys, clock, audit, sessions, findUser, policy, isDevelopment } = deps;
  const nonces = createNonces({ key: keys('dpop-nonces'), clock });
  const secrets = createDeviceSecrets(keys('devices'));
  const notices = createNotices(deps);
  const transitions = createTransitions(deps);
  const recognition = createRecognition({
    db,
    redis,
    transitions,
    audit,
    sessions,
    secrets,
    nonces,
    clock,
    rotation: createRotation({ db, secrets, clock }),
    onSuspended: notices.suspended,
  });
  const firstDevices = createFirstDevices({ findUser, policy, isDevelopment, clock });
  const shared = { db, transitions, recognition, secrets, notices, clock };
  return {
    nonces,
    recognition,
    approvals: createApprovals({ ...shared, firstDevices }),
    management: createManagement({ ...shared, audit }),
    decisions: createDecisions({ db, transitions, notices, findUser, clock }),
    sweep: createSweep({ db, transitions, clock }),
    bindAtSignIn: createSignInBinding({ db, sessions, secrets }),
    proofs: createProofs({ redis, nonces, clock }),
    findOpenRequest: (deviceId: string): Promise<ApprovalRequest | undefined> =>
      requestStore.findOpen(db, deviceId),
  };
}

/** The status for a client that is not signed in. */
const signedOutStatus = (nonce: string): DeviceStatus => ({
  device: undefined,
  trustScore: 0,
  requirements: ['sign_in', 'clearance'],
  nonce,
  cookie: undefined,
});

/** Device security: enrolment, recognition, approval and management of devices. */
export function createDevices(deps: DevicesDeps) {
  const { keys, clock, policy } = deps;
  const { recognition, approvals, ...parts } = createParts(deps);
  const { nonces } = parts;
  const fingerprintKey = keys('fingerprints');
  const missingRequirements = (
    session: Session,
    recognised: RecognisedDevice | undefined,
    { isSafe, from }: DeviceSignals,
  ) =>
    requirementsOf(
      policy,
      session,
      { device: recognised?.device, hasProved: recognised?.hasProved ?? false, isSafe, from },
      clock.now(),
    );

  return {
    policy,
    ...parts,
    ...approvals,
    ...recognition,
    missingRequirements,

    /** Throws the error of `proofError` unless the request proves this key (RFC 9449). */
    async proveKey(jkt: string, check: ProofCheck | undefined): Promise<void> {
      if (check?.isValid === true && check.jkt === jkt) return;
      throw proofError(faultOf(check), nonces.current());
    },

    /** Returns the HMAC of a client's fingerprint; the fingerprint itself is never stored. */
    fingerprintHash: (fingerprint: string): string =>
      createHmac('sha256', fingerprintKey).update(fingerprint).digest('hex'),

    /** Returns the status of the request's device. A fingerprint alone identifies none. */
    async statusOf(
      session: Session | undefined,
      fingerprintHash: string,
      presented: DeviceSignals,
    ): Promise<DeviceStatus> {
      if (session === undefined) return signedOutStatus(nonces.current());
      const recognised = await recognition.recognise(session, presented, { expectsProof: true });
      const device = recognised?.device;
      if (recognised !== undefined && recognised.device.state !== 'revoked')
        await recognition.bind(session, recognised.device, {
          hasProved: recognised.hasProved,
          from: presented.from,
        });
      return {
        device,
        trustScore: trustScore(device, device?.fingerprint_hash === fingerprintHash),
        requirements: missingRequirements(session, recognised, presented),
        nonce: nonces.current(),
        cookie: recognised?.nextCookie,
      };
    },
  };
}

export type Devices = ReturnType<typeof createDevices>;
