import { createHmac } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { clientKey } from '../../../../lib/net/ip.ts';
import { countHeader } from '../../../../platform/http/connections/raw-headers.ts';
import { isLoopbackHost } from '../../../../platform/http/requests/local-request.ts';
import { originOf } from '../../../../platform/http/requests/request-origin.ts';
import type { Resources } from '../../../../platform/resources.ts';
import type { Geoip } from '../../../geoip/country-database.ts';
import type { DeviceCookie } from './device-cookie.ts';
import type { ProofCheck, Proofs } from './proofs.ts';
import { traitsOf } from './risk.ts';
import type { DeviceSignals } from './signals.ts';

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Creates a reader of the device signals of requests. */
export function createRequestSignals(
  { config, baseOrigin, clock, keys }: Resources,
  {
    devices: { proofs },
    deviceCookie: cookie,
    country,
  }: { devices: { proofs: Proofs }; deviceCookie: DeviceCookie; country: Geoip['country'] },
) {
  const key = keys('device-origins');
  const checked = new WeakMap<FastifyRequest, Promise<ProofCheck | undefined>>();
  return { proofOf, of };

  /** Memoised for each request, because checking consumes the proof. */
  function proofOf(request: FastifyRequest, inBody?: string): Promise<ProofCheck | undefined> {
    const check = checked.get(request) ?? checkProof(request, inBody);
    checked.set(request, check);
    return check;
  }

  /** `proofInBody` is for clients that can't set the DPoP header. */
  function of(request: FastifyRequest, proofInBody?: string): DeviceSignals {
    const userAgent = request.headers['user-agent'];
    const { begun, client, address, requestId } = originOf(request, clock.now());
    return {
      begun,
      client,
      address,
      requestId,
      cookie: cookie.read(request.headers.cookie),
      proof: () => proofOf(request, proofInBody),
      isSafe: safeMethods.has(request.method),
      country: country(request.ip),
      traits: () => traitsOf(userAgent),
      from: createHmac('sha256', key)
        .update(`${clientKey(request.ip)} ${userAgent ?? ''}`)
        .digest('base64url'),
    };
  }

  async function checkProof(
    request: FastifyRequest,
    proofInBody: string | undefined,
  ): Promise<ProofCheck | undefined> {
    const { dpop, authorization } = request.headers;
    if (countHeader(request.raw, 'dpop') > 1)
      return { isValid: false, fault: 'malformed', jkt: undefined };
    const proof = typeof dpop === 'string' ? dpop : proofInBody;
    if (proof === undefined) return undefined;
    const path = request.url.split('?', 1).join('');
    const accessToken = /^(?:bearer|dpop) +(.*)$/i.exec(authorization ?? '')?.[1];
    const urls = originsOf(request).map((origin) => origin + path);
    return proofs.check(proof, { method: request.method, urls, accessToken });
  }

  /**
   * Origins that the client may use for this service. A configured origin is the only one:
   * otherwise a relaying site could pass proofs on (RFC 9449 §11.1).
   */
  function originsOf({ headers: { host = '' } }: FastifyRequest): string[] {
    return config.BASE_URL !== undefined && !isLoopbackHost(host)
      ? [baseOrigin]
      : [baseOrigin, `http://${host}`, `https://${host}`];
  }
}

export type RequestSignals = ReturnType<typeof createRequestSignals>;
