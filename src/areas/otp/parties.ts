import { clientKey } from '../../lib/net/ip.ts';
import type { Asker } from '../../platform/http/request-origin.ts';
import type { KnownDevices } from '../auth/known-devices.ts';
import type {
  CheckDecision,
  CodeStore,
  NewCode,
  Party,
  SendDecision,
  TriedCode,
} from './code-store.ts';
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

/**
 * Keeps what strangers do apart from what a device does that has signed in as this identifier
 * before: each has codes, tries, locks and messages of its own, so that nobody can use up somebody
 * else's.
 */
export function createParties({
  codes,
  knownDevices,
  hasAccount,
  hash,
  countsAddresses,
}: PartiesDeps) {
  const countryOf = ({ kind, country }: Identifier) =>
    kind === 'phone' ? (country ?? 'none') : '';
  const prefixOf = ({ kind, key }: Identifier) =>
    kind === 'phone' ? hash(`prefix ${key.slice(0, -4)}`) : '';

  async function deviceOf(
    { kind, key }: Identifier,
    { deviceTokens }: Asker,
  ): Promise<Party | undefined> {
    const device = await knownDevices.deviceFor(deviceTokens, { kind, key });
    return device === undefined ? undefined : { device };
  }

  /** Weighed by address, prefix and country: numbers are pumped by those who never enter a code. */
  async function putForStrangers(
    code: NewFor,
    identifier: Identifier,
    { address }: Asker,
  ): Promise<SendDecision> {
    const stranger = {
      ...code,
      party: 'strangers',
      prefix: prefixOf(identifier),
      country: countryOf(identifier),
      address: countsAddresses ? hash(`address ${clientKey(address)}`) : '',
    } as const;
    const decision = await codes.put({ ...stranger, hasAccount: undefined });
    // Looked up only then: on other days it would be a question to the record store for nothing.
    return decision.outcome === 'reserve'
      ? codes.put({ ...stranger, hasAccount: await hasAccount(identifier) })
      : decision;
  }

  /**
   * Whose live code it is when nobody says which: the device's own, or one that was asked for
   * elsewhere.
   */
  async function partyOfLiveCode(hashed: string, device: Party): Promise<Party> {
    if (await codes.hasLiveCode(hashed, device)) return device;
    return (await codes.hasLiveCode(hashed, 'strangers')) ? 'strangers' : device;
  }

  return {
    /** Stores a new code for whoever asks. `closed`: there is none for strangers any more. */
    async put(code: NewFor, identifier: Identifier, asker: Asker): Promise<SendDecision> {
      const party = await deviceOf(identifier, asker);
      if (party === undefined) return putForStrangers(code, identifier, asker);
      const decision = await codes.put({
        ...code,
        party,
        hasAccount: true,
        address: '',
        prefix: '',
        country: '',
      });
      // It has guessed too often: it is one stranger more.
      return decision.outcome === 'closed' ? putForStrangers(code, identifier, asker) : decision;
    },

    /** Looks at what was entered, and counts it to the party whose code it was tried at. */
    async check(
      { hashed, purpose, macFor, given }: Entered,
      identifier: Identifier,
      asker: Asker,
    ): Promise<CheckDecision> {
      const tried = (party: Party): Omit<TriedCode, 'mac'> => ({
        identifier: hashed,
        party,
        purpose,
        country: party === 'strangers' ? countryOf(identifier) : '',
      });
      const any = async (party: Party) =>
        codes.check({
          ...tried(party),
          mac: macFor((await codes.verificationOf(hashed, party)) ?? ''),
        });
      const device = await deviceOf(identifier, asker);
      if (given !== undefined) {
        for (const party of device === undefined
          ? ['strangers' as const]
          : [device, 'strangers' as const]) {
          const decision = await codes.check({
            ...tried(party),
            mac: macFor(given),
            verificationId: given,
          });
          if (
            decision.outcome !== 'other' &&
            (decision.outcome !== 'closed' || party === 'strangers')
          )
            return decision;
        }
      }
      if (device === undefined) return any('strangers');
      const decision = await any(await partyOfLiveCode(hashed, device));
      return decision.outcome === 'closed' ? any('strangers') : decision;
    },
  };
}
