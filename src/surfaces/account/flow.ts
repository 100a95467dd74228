import { safeRedirect } from '../../lib/net/safe-redirect.ts';
import { AppError } from '../../platform/errors/errors.ts';
import { codeErrors } from '../../platform/identity/code-errors.ts';
import type { RequestOrigin } from '../../platform/http/requests/request-origin.ts';
import { RequestValidationError } from '../../platform/validation/validation-error.ts';
import type {
  BrowserCompletion,
  BrowserOutcome,
  BrowserSignIn,
} from '../../areas/auth/browser-sign-in.ts';
import type { SignIn } from '../../areas/auth/sign-in.ts';
import type { IdentifierInput, OtpFlow } from '../../areas/otp/flow.ts';
import { parseAssertion } from '../../areas/second-factor/passkeys/passkey-input.ts';
import type { MfaMethod } from '../../areas/second-factor/service.ts';
import type { CodeForm, IdentifierForm, PasskeyFactorForm, SecondFactorForm } from './schemas.ts';

/** Why a form comes back to the person. */
export interface Refusal {
  status: number;
  /** Of the error; `identifier` when no code can be sent to it; `passkey` when that was refused. */
  code: string;
  headers: Record<string, string | string[]>;
  /** Seconds. */
  retryAfter: number | undefined;
}

interface Shown {
  /** Where to go in the end: a path of ours. */
  next: string;
  refusal?: Refusal;
}

export interface IdentifierStep extends Shown {
  at: 'identifier';
  identifier: string;
}

export interface CodeStep extends Shown {
  at: 'code';
  identifier: string;
  /** Masked. */
  to: string;
  verificationId: string;
}

export interface SecondFactorStep extends Shown {
  at: 'second-factor';
  mfaToken: string;
  methods: readonly MfaMethod[];
}

export interface DoneStep {
  at: 'done';
  next: string;
  setCookies: string[];
}

/** What comes next in a sign-in. Nothing of it is kept here: the forms carry it. */
export type Step = IdentifierStep | CodeStep | SecondFactorStep | DoneStep;

export interface SignInPageFlowDeps {
  otpFlow: Pick<OtpFlow, 'send' | 'prove' | 'masked'>;
  signIn: Pick<SignIn, 'methodsOf'>;
  browserSignIn: BrowserSignIn;
  browserCompletion: BrowserCompletion;
  /** The public origin of the service. */
  baseOrigin: string;
}

/** Who asked for nothing in particular gets here. */
const home = '/account';
const beginAgain = new Set(['auth.invalid_mfa_token', 'auth.revoked_meanwhile']);

const given = (text: string): IdentifierInput => ({ loc: ['body', 'identifier'], text });

/** The refusal that the form shows; throws what is no fault of the form again. */
function refusalOf(error: unknown, shown: readonly string[]): Refusal {
  const isUnreachable = error instanceof AppError && error.code === 'comms.not_configured';
  if (isUnreachable || error instanceof RequestValidationError)
    return { status: 422, code: 'identifier', headers: {}, retryAfter: undefined };
  if (!(error instanceof AppError) || !(shown.includes(error.code) || beginAgain.has(error.code)))
    throw error;
  const { status, code, headers, extra } = error;
  // A page has no challenge to answer: what failed is said in its text.
  return {
    status: status === 401 ? 400 : status,
    code,
    headers,
    retryAfter: typeof extra.retry_after === 'number' ? extra.retry_after : undefined,
  };
}

/** Codes are shown in groups, and copied so. */
const withoutSpaces = (code: string) => code.replace(/\s/g, '');

const nextOf = (text: string | undefined, baseOrigin: string): string =>
  text === undefined || text === '' ? home : safeRedirect(text, baseOrigin);

function stepAfter(outcome: BrowserOutcome, next: string): Step {
  if (outcome.mfa === undefined) return { at: 'done', setCookies: outcome.setCookies, next };
  const { mfaToken, methods } = outcome.mfa;
  return { at: 'second-factor', mfaToken, methods, next };
}

async function sendCode(
  { otpFlow, baseOrigin }: SignInPageFlowDeps,
  { identifier, verification_id: verificationId, next: wanted }: IdentifierForm,
  from: RequestOrigin,
): Promise<Step> {
  const next = nextOf(wanted, baseOrigin);
  try {
    const sent = await otpFlow.send(given(identifier), from);
    return { at: 'code', identifier, to: sent.to, verificationId: sent.verification_id, next };
  } catch (error) {
    const refusal = refusalOf(error, ['otp.rate_limited', 'otp.budget']);
    if (verificationId === '' || refusal.code === 'identifier')
      return { at: 'identifier', identifier, next, refusal };
    const to = await otpFlow.masked(given(identifier));
    return { at: 'code', identifier, to, verificationId, next, refusal };
  }
}

async function enterCode(
  { otpFlow, browserSignIn, baseOrigin }: SignInPageFlowDeps,
  { identifier, verification_id: verificationId, code, next: wanted }: CodeForm,
  cookieHeader: string | undefined,
  from: RequestOrigin,
): Promise<Step> {
  const next = nextOf(wanted, baseOrigin);
  const entered = {
    code: withoutSpaces(code),
    verificationId: verificationId === '' ? undefined : verificationId,
  };
  try {
    const proved = await otpFlow.prove(given(identifier), entered, from);
    return stepAfter(await browserSignIn(proved, cookieHeader), next);
  } catch (error) {
    const refusal = refusalOf(error, ['otp.invalid']);
    if (refusal.code !== 'otp.invalid') return { at: 'identifier', identifier, next, refusal };
    const to = await otpFlow.masked(given(identifier));
    return { at: 'code', identifier, to, verificationId, next, refusal };
  }
}

/** The form for the second factor again, or the first one when the sign-in is over. */
async function afterSecondFactor(
  { signIn }: SignInPageFlowDeps,
  error: unknown,
  mfaToken: string,
  next: string,
  code = 'otp.invalid',
): Promise<Step> {
  const refusal = refusalOf(error, ['otp.invalid']);
  if (refusal.code !== 'otp.invalid') return { at: 'identifier', identifier: '', next, refusal };
  const methods = await signIn.methodsOf(mfaToken);
  return { at: 'second-factor', mfaToken, methods, next, refusal: { ...refusal, code } };
}

/** Signing in by forms, step by step. What the forms can't help is thrown. */
export function createSignInPageFlow(deps: SignInPageFlowDeps) {
  const { browserCompletion, baseOrigin } = deps;
  return {
    /** Where the form leads in the end: a path of ours. */
    nextOf: (text: string | undefined) => nextOf(text, baseOrigin),

    /** Sends a code. When another one can't be sent, the one before still counts. */
    send: (form: IdentifierForm, from: RequestOrigin) => sendCode(deps, form, from),

    /** Looks at the code. Throws `otp.too_many_attempts`, `auth.user_disabled`. */
    enterCode: (form: CodeForm, cookieHeader: string | undefined, from: RequestOrigin) =>
      enterCode(deps, form, cookieHeader, from),

    /**
     * Looks at a code of the authenticator app, or a backup code. Throws `otp.too_many_attempts`,
     * `auth.user_disabled`.
     */
    async enterSecondFactor(
      { mfa_token: mfaToken, code, next: wanted }: SecondFactorForm,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<Step> {
      const next = nextOf(wanted, baseOrigin);
      const entered = withoutSpaces(code);
      const method = /^\d{6}$/.test(entered) ? 'totp' : 'backup_code';
      try {
        const proof = { method, code: entered } as const;
        return stepAfter(await browserCompletion(mfaToken, proof, cookieHeader, from), next);
      } catch (error) {
        return await afterSecondFactor(deps, error, mfaToken, next);
      }
    },

    /** Looks at what a passkey has signed. Throws as `enterSecondFactor` does. */
    async usePasskey(
      { mfa_token: mfaToken, credential: text, next: wanted }: PasskeyFactorForm,
      cookieHeader: string | undefined,
      from: RequestOrigin,
    ): Promise<Step> {
      const next = nextOf(wanted, baseOrigin);
      try {
        const credential = parseAssertion(text);
        if (credential === undefined) throw codeErrors.invalid();
        const proof = { method: 'passkey', credential } as const;
        return stepAfter(await browserCompletion(mfaToken, proof, cookieHeader, from), next);
      } catch (error) {
        return await afterSecondFactor(deps, error, mfaToken, next, 'passkey');
      }
    },
  };
}

export type SignInPageFlow = ReturnType<typeof createSignInPageFlow>;
