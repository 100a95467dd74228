import { clientKey } from '../../lib/net/ip.ts';
import type { RequestSource } from '../../platform/http/requests/request-origin.ts';
import type { KnownDevices } from '../auth/known-devices.ts';
import type { CheckDecision, CodeStore, NewCode, Party, SendDecision } from './code-store.ts';
import type { Identifier } from '../../lib/identifiers.ts';

export interface PartiesDeps {
  codes: CodeStore;
  knownDevices: Pick<KnownDevices, 'deviceFor'>;
  /** Whether somebody signs in with this address or number. */
  hasAccount: (identifier: Pick<Identifier, 'kind' | 'key'>) => Promise<boolean>;
  hash: (text: string) => string;
  /** Counts what single addresses ask for. */
  countsAddresses: boolean;
}

/** A new code, before it is known whose it is. */
export type NewFor = Omit<NewCode, 'party' | 'hasAccount' | 'address' | 'prefix' | 'country'>;

/** What was entered: a code, and perhaps the id of the verification that it belongs to. */
export interface Entered {
  /** HMAC of the identifier. */
  hashed: string;
  purpose: string;
  /** HMAC of the code as one of a verification. */
  macFor: (verificationId: string) => string;
  given: string | undefined;
}

const countryOf = ({ kind, country }: Identifier) => (kind === 'phone' ? (country ?? 'none') : '');

async function deviceOf(
  { knownDevices }: PartiesDeps,
  { kind, key }: Identifier,
  { deviceTokens }: RequestSource,
): Promise<Party | undefined> {
  const device = await knownDevices.deviceFor(deviceTokens, { kind, key });
  return device === undefined ? undefined : { device };
}

/** Weighed by address, prefix and country: numbers are pumped by those who never enter a code. */
async function putForStrangers(
  { codes, hash, hasAccount, countsAddresses }: PartiesDeps,
  code: NewFor,
  identifier: Identifier,
  { address }: RequestSource,
): Promise<SendDecision> {
  const { kind, key } = identifier;
  const stranger = {
    ...code,
    party: 'strangers',
    prefix: kind === 'phone' ? hash(`prefix ${key.slice(0, -4)}`) : '',
    country: countryOf(identifier),
    address: countsAddresses ? hash(`address ${clientKey(address)}`) : '',
  } as const;
  const decision = await codes.put({ ...stranger, hasAccount: undefined });
  // Looked up only then: on other days it would be a question to the record store for nothing.
  return decision.outcome === 'reserve'
    ? codes.put({ ...stranger, hasAccount: await hasAccount(identifier) })
    : decision;
}

/** Tries the code at a party: as one of `verificationId`, or of whichever code is alive. */
async function tryAt(
  party: Party,
  { codes }: PartiesDeps,
  { hashed, purpose, macFor }: Entered,
  identifier: Identifier,
  verificationId?: string,
): Promise<CheckDecision> {
  const tried = verificationId ?? (await codes.verificationOf(hashed, party)) ?? '';
  return codes.check({
    identifier: hashed,
    party,
    purpose,
    country: party === 'strangers' ? countryOf(identifier) : '',
    mac: macFor(tried),
    verificationId,
  });
}

/** Whose live code it is when nobody says which: the device's own, or one asked for elsewhere. */
async function partyOfLiveCode(codes: CodeStore, hashed: string, device: Party): Promise<Party> {
  if (await codes.hasLiveCode(hashed, device)) return device;
  return (await codes.hasLiveCode(hashed, 'strangers')) ? 'strangers' : device;
}

/**
 * Keeps strangers apart from devices that have signed in as this identifier before: each has codes,
 * tries, locks and messages of its own, so that nobody can use up somebody else's.
 */
export function createParties(deps: PartiesDeps) {
  const { codes } = deps;
  return {
    /** Stores a new code for whoever asks. `closed`: strangers get none any more. */
    async put(
      code: NewFor,
      identifier: Identifier,
      requestSource: RequestSource,
    ): Promise<SendDecision> {
      const party = await deviceOf(deps, identifier, requestSource);
      if (party === undefined) return putForStrangers(deps, code, identifier, requestSource);
      const unweighed = { address: '', prefix: '', country: '' };
      const decision = await codes.put({ ...code, ...unweighed, party, hasAccount: true });
      // A device that has guessed too often is one stranger more.
      return decision.outcome === 'closed'
        ? putForStrangers(deps, code, identifier, requestSource)
        : decision;
    },

    /** Looks at what was entered, and counts it to the party whose code it was tried at. */
    async check(
      entered: Entered,
      identifier: Identifier,
      requestSource: RequestSource,
    ): Promise<CheckDecision> {
      const { hashed, given } = entered;
      const device = await deviceOf(deps, identifier, requestSource);
      const attempt = (party: Party, verificationId?: string) =>
        tryAt(party, deps, entered, identifier, verificationId);
      if (given !== undefined) {
        const own = device === undefined ? undefined : await attempt(device, given);
        if (own !== undefined && own.outcome !== 'other' && own.outcome !== 'closed') return own;
        const decision = await attempt('strangers', given);
        if (decision.outcome !== 'other') return decision;
      }
      if (device === undefined) return attempt('strangers');
      const decision = await attempt(await partyOfLiveCode(codes, hashed, device));
      return decision.outcome === 'closed' ? attempt('strangers') : decision;
    },
  };
}

export type Parties = ReturnType<typeof createParties>;
