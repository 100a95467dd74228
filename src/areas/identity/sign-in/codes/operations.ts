import type { Clock } from '../../../../lib/clock.ts';
import { codeLimits } from '../../../../platform/http/limits/code-limits.ts';
import { originOf } from '../../../../platform/http/requests/request-origin.ts';
import { TokenResponse } from '../../claims-schemas.ts';
import { requireFresh } from '../../../../platform/identity/freshness.ts';
import type { HttpCall } from '../../../../platform/operations/call.ts';
import { operationsOf } from '../../../../platform/operations/operation.ts';
import { withShortPath } from '../../../../platform/operations/short-path.ts';
import { type CodeSignIn, type IdentifierInput, readIdentifier } from './service.ts';
import { examples } from './examples.ts';
import {
  CMYKPhoneOnlyRequest,
  CMYKPhoneRequest,
  CMYKVerifyOTPRequest,
  EmailAuthRequest,
  IdentifierQuery,
  MobileAuthRequest,
  OTPResponse,
  PhoneBody,
  PhoneCodeBody,
  ReopenBody,
  ReopenedView,
  VerifyOTPRequest,
} from './schemas.ts';
import type { Otp } from '../../codes/service.ts';

export interface OtpContext {
  codeSignIn: CodeSignIn;
  otp: Otp;
  clock: Clock;
}

const sendErrors = [
  'otp.rate_limited',
  'otp.too_many_attempts',
  'otp.budget',
  'comms.not_configured',
  'comms.recipient_invalid',
];
const verifyErrors = [
  'otp.invalid',
  'otp.too_many_attempts',
  'auth.user_disabled',
  'auth.revoked_meanwhile',
  'users.sign_up_closed',
  'users.review_account',
];

const common = { scope: 'forms', tag: 'otp', allowsApps: true } as const;
const operation = operationsOf<OtpContext>(common);
const sends = {
  limit: codeLimits.send,
  description:
    'Sends a six-digit code that works once, for five minutes. The response is the same ' +
    'whether or not the user exists.',
  errors: sendErrors,
  output: OTPResponse,
};
const verifies = {
  limit: codeLimits.verify,
  description:
    'Opens a session if the code is correct, and creates the user if needed. A wrong or ' +
    'expired code gets 400 `otp.invalid`.',
  errors: verifyErrors,
  output: TokenResponse,
};

interface ByPhone {
  phone: string;
  country?: string | undefined;
}

const byPhone = ({ phone, country }: ByPhone): IdentifierInput => ({
  loc: ['body', 'phone'],
  text: phone,
  country,
});

const inQuery = ({ identifier, country }: IdentifierQuery): IdentifierInput => ({
  loc: ['query', 'identifier'],
  text: identifier,
  country,
});

function inBody({ identifier, phone, email, country }: VerifyOTPRequest): IdentifierInput {
  if (phone !== undefined) return byPhone({ phone, country });
  return email === undefined
    ? { loc: ['body', 'identifier'], text: identifier ?? '', country }
    : { loc: ['body', 'email'], text: email };
}

interface WithCode {
  code: string;
  verification_id?: string | undefined;
}

const enteredCode = ({ code, verification_id: verificationId }: WithCode) => ({
  code,
  verificationId,
});

const originOfCall = ({ clock }: OtpContext, { request }: HttpCall) =>
  originOf(request, clock.now());

const sendToPhone = (context: OtpContext, input: ByPhone, call: HttpCall): Promise<OTPResponse> =>
  context.codeSignIn.send(byPhone(input), originOfCall(context, call));

const sendToQuery = (
  context: OtpContext,
  query: IdentifierQuery,
  call: HttpCall,
): Promise<OTPResponse> => context.codeSignIn.send(inQuery(query), originOfCall(context, call));

const signInByPhone = (
  context: OtpContext,
  input: ByPhone & WithCode,
  call: HttpCall,
): Promise<TokenResponse> =>
  context.codeSignIn.signIn(byPhone(input), enteredCode(input), originOfCall(context, call));

/** With an `mfa_token`, the code completes that sign-in. */
function signInOrComplete(
  context: OtpContext,
  input: VerifyOTPRequest,
  call: HttpCall,
): Promise<TokenResponse> {
  const { codeSignIn } = context;
  const from = originOfCall(context, call);
  return input.mfa_token === undefined
    ? codeSignIn.signIn(inBody(input), enteredCode(input), from)
    : codeSignIn.complete(input.mfa_token, input.code, from);
}

/** One-time codes, under both paths. */
export const codeOperations = withShortPath([
  operation({
    ...sends,
    id: 'otp.cmyk_phone',
    path: 'POST /api/auth/cmyk/phone',
    summary: 'Send a code to a phone',
    body: CMYKPhoneRequest,
    schema: { examples: examples.sentByPhone },
    run: sendToPhone,
  }),
  operation({
    ...verifies,
    id: 'otp.cmyk_verify',
    path: 'POST /api/auth/cmyk/verify',
    summary: 'Sign in with a code',
    body: CMYKVerifyOTPRequest,
    schema: { examples: examples.verifiedByPhone },
    run: signInByPhone,
  }),
  operation({
    id: 'otp.cmyk_phone_only',
    path: 'POST /api/auth/cmyk/phone-only',
    summary: 'Send a code, then sign in with it',
    description:
      'Without `code`, sends a code and returns `status` `otp_required` without ' +
      'tokens. With `code`, signs in.',
    limit: codeLimits.send,
    body: CMYKPhoneOnlyRequest,
    output: TokenResponse,
    errors: [...sendErrors, ...verifyErrors],
    schema: { examples: examples.codeDue },
    run(context, input, call) {
      const { code } = input;
      return typeof code === 'string'
        ? signInByPhone(context, { ...input, code }, call)
        : context.codeSignIn.sendInOneFlow(byPhone(input), originOfCall(context, call));
    },
  }),
  operation({
    ...sends,
    id: 'otp.mobile_initiate',
    path: 'POST /api/auth/mobile/initiate',
    summary: 'Start a sign-in by phone',
    body: MobileAuthRequest,
    schema: { examples: examples.sentByPhone },
    run: sendToPhone,
  }),
  operation({
    ...sends,
    id: 'otp.mobile_resend',
    path: 'POST /api/auth/mobile/resend',
    summary: 'Send another code',
    body: MobileAuthRequest,
    schema: { examples: examples.sentByPhone },
    run: sendToPhone,
  }),
  operation({
    ...sends,
    id: 'otp.email_initiate',
    path: 'POST /api/auth/email/initiate',
    summary: 'Start a sign-in by email',
    body: EmailAuthRequest,
    schema: { examples: examples.sentByEmail },
    run: (context, { email: text }, call) =>
      context.codeSignIn.send({ loc: ['body', 'email'], text }, originOfCall(context, call)),
  }),
  operation({
    ...sends,
    id: 'otp.otp_send',
    path: 'POST /api/auth/otp/send',
    summary: 'Send a code',
    query: IdentifierQuery,
    schema: { examples: examples.sentByEmail },
    run: sendToQuery,
  }),
  operation({
    ...sends,
    id: 'otp.otp_resend',
    path: 'POST /api/auth/otp/resend',
    summary: 'Send another code',
    query: IdentifierQuery,
    schema: { examples: examples.sentByEmail },
    run: sendToQuery,
  }),
  operation({
    ...verifies,
    id: 'otp.otp_verify',
    path: 'POST /api/auth/otp/verify',
    summary: 'Sign in with a code',
    body: VerifyOTPRequest,
    errors: [...verifyErrors, 'auth.invalid_mfa_token'],
    run: signInOrComplete,
  }),
  operation({
    ...verifies,
    id: 'otp.mobile_verify',
    path: 'POST /api/auth/mobile/verify',
    summary: 'Sign in with a code',
    body: VerifyOTPRequest,
    errors: [...verifyErrors, 'auth.invalid_mfa_token'],
    schema: { examples: examples.verifiedOnPhone },
    run: signInOrComplete,
  }),
]);

/** The two paths of the mobile client. */
export const mobileClientOperations = [
  operation({
    ...sends,
    scope: 'public',
    id: 'otp.mobile_client_send',
    path: 'POST /api/cmyk/auth/otp/send',
    summary: 'Send a code to a phone',
    body: PhoneBody,
    schema: { examples: examples.sentByPhone },
    run: sendToPhone,
  }),
  operation({
    ...verifies,
    scope: 'public',
    id: 'otp.mobile_client_verify',
    path: 'POST /api/cmyk/auth/otp/verify',
    summary: 'Sign in with a code',
    body: PhoneCodeBody,
    schema: { examples: examples.verifiedByPhone },
    run: signInByPhone,
  }),
];

/** One-time codes, for admins. */
export const codeAdminOperations = [
  operation({
    scope: 'admin',
    allowsApps: false,
    id: 'otp.reopen',
    path: 'POST /api/v1/one-time-codes/reopen',
    summary: 'Reopen one-time codes',
    description:
      'After 100 wrong codes in a row, codes are turned off for a phone number or ' +
      'address until its user signs in another way or an admin calls this operation. ' +
      'Users must have signed in within the last five minutes.',
    body: ReopenBody,
    output: ReopenedView,
    errors: ['auth.step_up_required'],
    async run({ otp, clock }, { identifier: text, country }, { by }) {
      requireFresh(by, clock.now());
      const { actor, ...from } = by;
      const identifier = await readIdentifier(text, country);
      return { ok: true as const, reopened: await otp.reopen(identifier, actor, from) };
    },
  }),
];
