import { createHmac } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { Publisher } from '../../platform/bus/types.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Keys } from '../../platform/crypto/keys.ts';
import type { Audit } from '../audit/service.ts';
import type { Session, Sessions } from '../auth/sessions.ts';
import type { Messages } from '../comms/service.ts';
import type { User } from '../users/store.ts';
import { createClearance } from './clearance/clearance.ts';
import { createDecisions } from './clearance/decisions.ts';
import { createDeviceSecrets } from './recognition/device-secrets.ts';
import { createFirstDevices } from './clearance/first-devices.ts';
import { createSweep } from './clearance/expiry.ts';
import { createManagement } from './management/management.ts';
import { createNonces } from './recognition/nonces.ts';
import { createNotices } from './clearance/notices.ts';
import {
  type DevicePolicy,
  type Requirement,
  requirementsOf,
  trustScore,
} from './clearance/policy.ts';
import type { DeviceSignals } from './recognition/signals.ts';
import { createProofs, type ProofCheck } from './recognition/proofs.ts';
import { faultOf, proofError } from './recognition/proof-faults.ts';
import { createRecognition, type RecognisedDevice } from './recognition/recognition.ts';
import { type ClearanceRequest, requestStore } from './clearance/request-store.ts';
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
  /** The sign-in for development is open. */
  isDevelopment: boolean;
}

/** What a client may know of the device that it runs on. */
export interface DeviceStatus {
  device: Device | undefined;
  trustScore: number;
  requirements: readonly Requirement[];
  nonce: string;
  cookie: string | undefined;
}

/** Device security: which devices there are, what they may do, and who decides on it. */
export function createDevices({
  db,
  redis,
  keys,
  clock,
  logger,
  audit,
  sessions,
  messages,
  publisher,
  findUser,
  policy,
  baseUrl,
  isDevelopment,
}: DevicesDeps) {
  const nonces = createNonces({ key: keys('dpop-nonces'), clock });
  const secrets = createDeviceSecrets(keys('devices'));
  const notices = createNotices({ messages, findUser, baseUrl, clock, logger });
  const transitions = createTransitions({ db, audit, sessions, publisher, clock, logger });
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
  const clearance = createClearance({
    db,
    transitions,
    recognition,
    firstDevices,
    secrets,
    notices,
    policy,
    clock,
  });
  const management = createManagement({
    db,
    transitions,
    recognition,
    secrets,
    notices,
    audit,
    clock,
  });
  const fingerprintKey = keys('fingerprints');
  const missingRequirements = (
    session: Session,
    shown: RecognisedDevice | undefined,
    { isSafe, from }: DeviceSignals,
  ) =>
    requirementsOf(
      policy,
      session,
      { device: shown?.device, hasProved: shown?.hasProved ?? false, isSafe, from },
      clock.now(),
    );

  return {
    policy,
    nonces,
    proofs: createProofs({ redis, nonces, clock }),
    ...clearance,
    ...recognition,
    management,
    decisions: createDecisions({ db, transitions, notices, findUser, clock }),
    sweep: createSweep({ db, transitions, clock }),
    bindAtSignIn: createSignInBinding({ db, sessions, secrets }),
    missingRequirements,

    /** The open request of a device. */
    findOpenRequest: (deviceId: string): Promise<ClearanceRequest | undefined> =>
      requestStore.findOpen(db, deviceId),

    /**
     * Throws unless the request proves this key (RFC 9449), as it must to get new tokens or to have
     * it taken for a device's.
     */
    async proveKey(jkt: string, check: ProofCheck | undefined): Promise<void> {
      if (check?.isValid === true && check.jkt === jkt) return;
      throw proofError(faultOf(check), nonces.current());
    },

    /** HMAC of a client's fingerprint: what is kept of it. */
    fingerprintHash: (fingerprint: string): string =>
      createHmac('sha256', fingerprintKey).update(fingerprint).digest('hex'),

    /**
     * What is known of the device that the request comes from; a fingerprint alone makes none
     * known. Throws as `recognise` does.
     */
    async statusOf(
      session: Session | undefined,
      fingerprintHash: string,
      presented: DeviceSignals,
    ): Promise<DeviceStatus> {
      if (session === undefined)
        return {
          device: undefined,
          trustScore: 0,
          requirements: ['sign_in', 'clearance'],
          nonce: nonces.current(),
          cookie: undefined,
        };
      const shown = await recognition.recognise(session, presented, { expectsProof: true });
      if (shown !== undefined && shown.device.state !== 'revoked')
        await recognition.bind(session, shown.device, {
          hasProved: shown.hasProved,
          from: presented.from,
        });
      return {
        device: shown?.device,
        trustScore: trustScore(shown?.device, shown?.device.fingerprint_hash === fingerprintHash),
        requirements: missingRequirements(session, shown, presented),
        nonce: nonces.current(),
        cookie: shown?.nextCookie,
      };
    },
  };
}

export type Devices = ReturnType<typeof createDevices>;
