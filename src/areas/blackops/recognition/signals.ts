import type { Origin } from '../../../platform/http/request-origin.ts';
import type { ProofCheck } from './proofs.ts';
import type { Traits } from './risk.ts';
import type { Suspect } from '../store.ts';

/** What a request shows of the device that it comes from. */
export interface DeviceSignals extends Origin {
  /** The device cookie's value. Undefined when there is none, or several. */
  cookie: string | undefined;
  /**
   * What its DPoP proof (RFC 9449) is worth; undefined when it carries none. Looked at once: a
   * proof is good once.
   */
  proof: () => Promise<ProofCheck | undefined>;
  /** It only reads. */
  isSafe: boolean;
  /** ISO 3166-1 alpha-2. */
  country: string | undefined;
  /** What the User-Agent header tells. */
  traits: () => Traits;
  /** Network and User-Agent, as a hash. */
  from: string;
}

/**
 * What a request shows that the risk rules look at: whoever restores the device takes it for right.
 */
export function suspectOf({ country, traits }: DeviceSignals): Suspect {
  const { platform, os, browser, browserMajor } = traits();
  return { country: country ?? null, platform, os, browser, browser_major: browserMajor };
}
