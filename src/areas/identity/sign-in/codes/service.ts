import type { TokenResponse } from '../../claims-schemas.ts';
import { readFactorCode } from '../../entered-codes.ts';
import type { RequestOrigin } from '../../../../platform/http/requests/request-origin.ts';
import {
  RequestValidationError,
  valueError,
} from '../../../../platform/validation/validation-error.ts';
import type { EnteredCode } from '../../codes/context.ts';
import type { SignInParts } from '../context.ts';
import type { SignIn, VerifiedSignIn } from '../service.ts';
import {
  anyIdentifier,
  emailIdentifier,
  hasPhoneRules,
  type Identifier,
  mask,
  phoneIdentifier,
} from '../../../../lib/identifiers.ts';
import type { OTPResponse } from './schemas.ts';
import { toSentCodeView } from '../../codes/views.ts';

/** An identifier as the client wrote it, and its location in the request. */
export interface IdentifierInput {
  loc: readonly [part: 'body' | 'query', name: 'phone' | 'email' | 'identifier'];
  text: string;
  /** ISO 3166-1 alpha-2: the country whose rules apply to a number without a plus sign. */
  country?: string | undefined;
}

const readers = { phone: phoneIdentifier, email: emailIdentifier, identifier: anyIdentifier };

const international =
  'a phone number must start with a plus sign and its country code, such as +14155550132';
const orCountry = 'otherwise send its `country`';

const messages = {
  phone: `${international}; ${orCountry}`,
  email: 'must be an email address, such as name@example.com',
  identifier: `must be an email address or a phone number; ${international}; ${orCountry}`,
};

async function read({ loc, text, country }: IdentifierInput): Promise<Identifier> {
  const [part, name] = loc;
  if (country !== undefined && !(await hasPhoneRules(country))) {
    throw new RequestValidationError([
      valueError(
        [part, 'country'],
        'no country with phone numbers has this ISO 3166-1 alpha-2 code',
      ),
    ]);
  }
  const identifier = await readers[name](text, country);
  if (identifier === undefined) throw new RequestValidationError([valueError(loc, messages[name])]);
  return identifier;
}

/**
 * Parses an email address or phone number in a body. Throws a RequestValidationError if it is
 * neither.
 */
export const readIdentifier = (text: string, country?: string): Promise<Identifier> =>
  read({ loc: ['body', 'identifier'], text, country });

/** Signing in with a one-time code, whatever the fields of the request are called. */
export function createCodeSignIn({ otp }: SignInParts, signIn: SignIn) {
  return {
    send,

    /** Sends a code, with the response of the operation that also verifies it. */
    sendInOneFlow: async (input: IdentifierInput, from: RequestOrigin): Promise<TokenResponse> =>
      signIn.codeSentResponse(await send(input, from)),

    verifiedSignIn,

    /**
     * Signs in with a right code, and creates the user if needed. Throws the errors of `otp.verify`
     * and of `signIn.asBearer`.
     */
    signIn: async (
      input: IdentifierInput,
      entered: EnteredCode,
      from: RequestOrigin,
    ): Promise<TokenResponse> => signIn.asBearer(await verifiedSignIn(input, entered, from)),

    /**
     * Completes a sign-in with the second factor: a code of an authenticator app, or a backup code.
     */
    complete: async (mfaToken: string, code: string, from: RequestOrigin): Promise<TokenResponse> =>
      signIn.completeAsBearer(mfaToken, readFactorCode(code), from),

    /** The masked identifier. */
    masked: async (input: IdentifierInput): Promise<string> => mask(await read(input)),
  };

  /** Sends a code. Throws the errors of `otp.send`. */
  async function send(input: IdentifierInput, from: RequestOrigin): Promise<OTPResponse> {
    const sent = await otp.send(await read(input), from);
    return { success: true, verification_id: sent.verificationId, ...toSentCodeView(sent) };
  }

  /** Verifies a code, and returns its identity. Throws the errors of `otp.verify`. */
  async function verifiedSignIn(
    input: IdentifierInput,
    entered: EnteredCode,
    from: RequestOrigin,
  ): Promise<VerifiedSignIn> {
    const identifier = await read(input);
    await otp.verify(identifier, entered, from);
    const { kind, key, value, channel } = identifier;
    const amr = channel === 'sms' ? ['otp', 'sms'] : ['otp'];
    return { identity: { kind, key, value }, amr, ...from };
  }
}

export type CodeSignIn = ReturnType<typeof createCodeSignIn>;
