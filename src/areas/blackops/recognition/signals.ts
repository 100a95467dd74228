import type { RequestOrigin } from '../../../platform/http/requests/request-origin.ts';
import type { Suspect } from '../store.ts';
import type { ProofCheck } from './proofs.ts';
import type { Traits } from './risk.ts';

/** What a request shows of the device that it comes from. */
export interface DeviceSignals extends RequestOrigin {
  /** The device cookie's value. Undefined when there is none, or several. */
  cookie: string | undefined;
  /** The check of its DPoP proof (RFC 9449), made once: a proof is good once. */
  proof: () => Promise<ProofCheck | undefined>;
  /** The request only reads. */
  isSafe: boolean;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
  /** What the User-Agent header tells. */
  traits: () => Traits;
  /** Network and User-Agent, as a hash. */
  from: string;
}

/** The signals that the risk rules look at. Whoever restores the device accepts them. */
export function suspectOf({ country, traits }: DeviceSignals): Suspect {
  const { platform, os, browser, browserMajor } = traits();
  return { country: country ?? null, platform, os, browser, browser_major: browserMajor };
}
