import { clientKey } from '../../../lib/net/ip.ts';
import type { RequestSource } from '../../../platform/http/requests/request-origin.ts';
import type { KnownDevices } from '../sessions/known-devices.ts';
import type { CheckDecision, CodeStore, NewCode, Party, SendDecision } from './store.ts';
import type { Identifier } from '../../../lib/identifiers.ts';

export interface PartiesDeps {
  codes: CodeStore;
  knownDevices: Pick<KnownDevices, 'deviceFor'>;
  /** Whether the address or number belongs to a user. */
  hasAccount: (identifier: Pick<Identifier, 'kind' | 'key'>) => Promise<boolean>;
  hash: (text: string) => string;
  /** Whether codes are also limited per client address. */
  countsAddresses: boolean;
}

/** A new code that has not been assigned to a party yet. */
export type UnassignedCode = Omit<
  NewCode,
  'party' | 'hasAccount' | 'address' | 'prefix' | 'country'
>;

/** A code that a client entered, and the verification id, if the client sent one. */
export interface EnteredCode {
  /** HMAC of the identifier. */
  hashed: string;
  purpose: string;
  /** HMAC of the code, given the verification id. */
  macFor: (verificationId: string) => string;
  verificationId: string | undefined;
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

/**
 * What codes are counted by in an hour: numbers by their prefix, addresses that users ask for. What
 * users ask for has counters of its own, so that it uses up none of the sign-ins'.
 */
function prefixOf({ kind, key }: Identifier, party: Party): string {
  const counted = kind === 'phone' ? `prefix ${key.slice(0, -4)}` : key;
  if (party !== 'strangers') return `asked ${counted}`;
  return kind === 'phone' ? counted : '';
}

/**
 * Counts codes of strangers, and of users for what is not theirs yet, by address, prefix and
 * country as well, against SMS pumping.
 */
async function putCounted(
  { codes, hash, hasAccount, countsAddresses }: PartiesDeps,
  code: UnassignedCode,
  party: Exclude<Party, { device: string }>,
  { identifier, address }: { identifier: Identifier; address: string },
): Promise<SendDecision> {
  const prefix = prefixOf(identifier, party);
  const stranger = {
    ...code,
    party,
    prefix: prefix === '' ? '' : hash(prefix),
    country: countryOf(identifier),
    address: countsAddresses ? hash(`address ${clientKey(address)}`) : '',
  } as const;
  if (party !== 'strangers') return codes.put({ ...stranger, hasAccount: true });
  const decision = await codes.put({ ...stranger, hasAccount: undefined });
  // Looked up only when codes are reserved, to spare the record store a query.
  return decision.outcome === 'reserve'
    ? codes.put({ ...stranger, hasAccount: await hasAccount(identifier) })
    : decision;
}

/** Checks the code against the party's: that of `verificationId`, or else the live one. */
async function checkAt(
  party: Party,
  { codes }: PartiesDeps,
  { hashed, purpose, macFor }: EnteredCode,
  identifier: Identifier,
  verificationId?: string,
): Promise<CheckDecision> {
  const id = verificationId ?? (await codes.verificationOf(hashed, party)) ?? '';
  return codes.check({
    identifier: hashed,
    party,
    purpose,
    country: party === 'strangers' || 'asker' in party ? countryOf(identifier) : '',
    mac: macFor(id),
    verificationId,
  });
}

/** The party of the live code when no verification id is given: the device, or else strangers. */
async function partyOfLiveCode(codes: CodeStore, hashed: string, device: Party): Promise<Party> {
  if (await codes.hasLiveCode(hashed, device)) return device;
  return (await codes.hasLiveCode(hashed, 'strangers')) ? 'strangers' : device;
}

/**
 * Separates strangers from known devices, which have signed in with this identifier before, and
 * from users who ask for codes to somebody's address. Each party has its own codes, attempts, locks
 * and messages, so that none can use up those of another.
 */
export function createParties(deps: PartiesDeps) {
  const { codes } = deps;
  return {
    /**
     * Stores a new code for the party of the request, or for the user `asker`. `closed`: the party
     * no longer gets codes.
     */
    async put(
      code: UnassignedCode,
      identifier: Identifier,
      requestSource: RequestSource,
      asker?: string,
    ): Promise<SendDecision> {
      const { address } = requestSource;
      const counted = (by: 'strangers' | { asker: string }) =>
        putCounted(deps, code, by, { identifier, address });
      if (asker !== undefined) return counted({ asker });
      const party = await deviceOf(deps, identifier, requestSource);
      if (party === undefined) return counted('strangers');
      const uncounted = { address: '', prefix: '', country: '' };
      const decision = await codes.put({ ...code, ...uncounted, party, hasAccount: true });
      // A device that has guessed too often counts as a stranger.
      return decision.outcome === 'closed' ? counted('strangers') : decision;
    },

    /**
     * Checks an entered code, and counts the attempt for the party whose code it was checked at.
     */
    async check(
      entered: EnteredCode,
      identifier: Identifier,
      requestSource: RequestSource,
      asker?: string,
    ): Promise<CheckDecision> {
      const { hashed, verificationId } = entered;
      const attempt = (party: Party, id?: string) => checkAt(party, deps, entered, identifier, id);
      if (asker !== undefined) {
        const decision = await attempt({ asker }, verificationId);
        return decision.outcome === 'other' ? attempt({ asker }) : decision;
      }
      const device = await deviceOf(deps, identifier, requestSource);
      if (verificationId !== undefined) {
        const own = device === undefined ? undefined : await attempt(device, verificationId);
        if (own !== undefined && own.outcome !== 'other' && own.outcome !== 'closed') return own;
        const decision = await attempt('strangers', verificationId);
        if (decision.outcome !== 'other') return decision;
      }
      if (device === undefined) return attempt('strangers');
      const decision = await attempt(await partyOfLiveCode(codes, hashed, device));
      return decision.outcome === 'closed' ? attempt('strangers') : decision;
    },
  };
}

export type Parties = ReturnType<typeof createParties>;
