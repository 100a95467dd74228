import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { clientKey } from '../../../lib/net/ip.ts';
import type { Clock } from '../../../lib/clock.ts';
import { isLoopbackHost } from '../../../platform/http/local-request.ts';
import { timesSent } from '../../../platform/http/connections/raw-headers.ts';
import { originOf } from '../../../platform/http/request-origin.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { DeviceSignals } from './signals.ts';
import type { ProofCheck, Proofs } from './proofs.ts';
import { traitsOf } from './risk.ts';

export interface RequestSignalsDeps {
  proofs: Proofs;
  cookie: DeviceCookie;
  country: (ip: string) => string | undefined;
  clock: Clock;
  key: Buffer;
  baseOrigin: string;
  /** Whether the public origin was configured; else it is a guess. */
  isBaseKnown: boolean;
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Reads from requests what they show of the device they come from. */
export function createRequestSignals({
  proofs,
  cookie,
  country,
  clock,
  key,
  baseOrigin,
  isBaseKnown,
}: RequestSignalsDeps) {
  const checked = new WeakMap<FastifyRequest, Promise<ProofCheck | undefined>>();

  /**
   * Where the client may believe to be. A configured origin is the only one: else a site in between
   * could pass proofs on (RFC 9449 §11.1).
   */
  function originsOf({ headers: { host = '' } }: FastifyRequest): string[] {
    if (!isBaseKnown) return [baseOrigin, `http://${host}`, `https://${host}`];
    return isLoopbackHost(host) ? [baseOrigin, `http://${host}`, `https://${host}`] : [baseOrigin];
  }

  function checkProof(
    request: FastifyRequest,
    inBody: string | undefined,
  ): Promise<ProofCheck | undefined> {
    const { dpop, authorization } = request.headers;
    if (timesSent(request.raw, 'dpop') > 1)
      return Promise.resolve({ isRight: false, fault: 'malformed', jkt: undefined });
    const proof = typeof dpop === 'string' ? dpop : inBody;
    if (proof === undefined) return Promise.resolve(undefined);
    const path = request.url.split('?', 1).join('');
    const accessToken = /^(?:bearer|dpop) +(.*)$/i.exec(authorization ?? '')?.[1];
    return proofs.check(proof, {
      method: request.method,
      urls: originsOf(request).map((origin) => origin + path),
      accessToken,
    });
  }

  /** A proof is good once: however many parts of the service ask for it, it is looked at once. */
  function proofOf(request: FastifyRequest, inBody?: string): Promise<ProofCheck | undefined> {
    const before = checked.get(request);
    if (before !== undefined) return before;
    const check = checkProof(request, inBody);
    checked.set(request, check);
    return check;
  }

  return {
    proofOf,

    /** `proofInBody`: for clients that send it there. */
    of(request: FastifyRequest, proofInBody?: string): DeviceSignals {
      const userAgent = request.headers['user-agent'];
      const { begun, client, address, requestId } = originOf(request, clock.now());
      return {
        begun,
        client,
        address,
        requestId,
        cookie: cookie.read(request.headers.cookie),
        proof: () => proofOf(request, proofInBody),
        isSafe: safe.has(request.method),
        country: country(request.ip),
        traits: () => traitsOf(userAgent),
        from: createHmac('sha256', key)
          .update(`${clientKey(request.ip)} ${userAgent ?? ''}`)
          .digest('base64url'),
      };
    },
  };
}

export type RequestSignals = ReturnType<typeof createRequestSignals>;
