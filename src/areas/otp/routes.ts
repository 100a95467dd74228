import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Clock } from '../../lib/clock.ts';
import { TokenResponse } from '../../platform/identity/claims-schemas.ts';
import { originOf } from '../../platform/http/requests/request-origin.ts';
import { codeLimits } from '../../platform/http/limits/code-limits.ts';
import { allowApps } from '../../platform/http/cross-origin.ts';
import { noStore } from '../../platform/http/security.ts';
import { examples } from './examples.ts';
import type { IdentifierInput, OtpFlow } from './flow.ts';
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
  VerifyOTPRequest,
} from './schemas.ts';

export interface OtpRoutesOptions {
  otpFlow: OtpFlow;
  clock: Clock;
  /** The prefix of operation ids: the routes are mounted twice. */
  operations: string;
}

type Routes = Parameters<FastifyPluginAsyncZod<OtpRoutesOptions>>[0];

const tags = ['otp'];

const sendDescription =
  'Sends a six-digit code that works once, for five minutes. The response is the same ' +
  'whether or not the user exists.';
const verifyDescription =
  'Opens a session if the code is correct, and creates the user if needed. A wrong or ' +
  'expired code gets 400 `otp.invalid`.';

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

interface ByPhone {
  phone: string;
  country?: string | undefined;
}
interface WithCode {
  code: string;
  verification_id?: string | undefined;
}

const phoneInput = ({ phone, country }: ByPhone): IdentifierInput => ({
  loc: ['body', 'phone'],
  text: phone,
  country,
});
const enteredCode = ({ code, verification_id: verificationId }: WithCode) => ({
  code,
  verificationId,
});

function identifierInput({ identifier, phone, email, country }: VerifyOTPRequest): IdentifierInput {
  if (phone !== undefined) return phoneInput({ phone, country });
  return email === undefined
    ? { loc: ['body', 'identifier'], text: identifier ?? '', country }
    : { loc: ['body', 'email'], text: email };
}

function cmykRoutes(app: Routes, { otpFlow, clock, operations }: OtpRoutesOptions): void {
  app.post(
    '/cmyk/phone',
    {
      config: codeLimits.send,
      schema: {
        operationId: `${operations}.cmyk_phone`,
        summary: 'Send a code to a phone',
        description: sendDescription,
        tags,
        body: CMYKPhoneRequest,
        examples: examples.sentByPhone,
        errors: sendErrors,
        response: { 200: OTPResponse },
      },
    },
    (request) => otpFlow.send(phoneInput(request.body), originOf(request, clock.now())),
  );

  app.post(
    '/cmyk/verify',
    {
      config: codeLimits.verify,
      schema: {
        operationId: `${operations}.cmyk_verify`,
        summary: 'Sign in with a code',
        description: verifyDescription,
        tags,
        body: CMYKVerifyOTPRequest,
        examples: examples.verifiedByPhone,
        errors: verifyErrors,
        response: { 200: TokenResponse },
      },
    },
    (request) =>
      otpFlow.verify(
        phoneInput(request.body),
        enteredCode(request.body),
        originOf(request, clock.now()),
      ),
  );
}

function cmykPhoneOnlyRoute(app: Routes, { otpFlow, clock, operations }: OtpRoutesOptions): void {
  app.post(
    '/cmyk/phone-only',
    {
      config: codeLimits.send,
      schema: {
        operationId: `${operations}.cmyk_phone_only`,
        summary: 'Send a code, then sign in with it',
        tags,
        body: CMYKPhoneOnlyRequest,
        examples: examples.codeDue,
        errors: [...sendErrors, ...verifyErrors],
        response: { 200: TokenResponse },
        description:
          'Without `code`, sends a code and returns `status` `otp_required` without ' +
          'tokens. With `code`, signs in.',
      },
    },
    async (request) => {
      const { code, verification_id: verificationId } = request.body;
      const from = originOf(request, clock.now());
      if (typeof code === 'string')
        return otpFlow.verify(phoneInput(request.body), { code, verificationId }, from);
      return otpFlow.sendInOneFlow(phoneInput(request.body), from);
    },
  );
}

function mobileRoutes(app: Routes, { otpFlow, clock, operations }: OtpRoutesOptions): void {
  for (const name of ['initiate', 'resend'] as const) {
    app.post(
      `/mobile/${name}`,
      {
        config: codeLimits.send,
        schema: {
          operationId: `${operations}.mobile_${name}`,
          summary: name === 'initiate' ? 'Start a sign-in by phone' : 'Send another code',
          description: sendDescription,
          tags,
          body: MobileAuthRequest,
          examples: examples.sentByPhone,
          errors: sendErrors,
          response: { 200: OTPResponse },
        },
      },
      (request) => otpFlow.send(phoneInput(request.body), originOf(request, clock.now())),
    );
  }

  app.post(
    '/email/initiate',
    {
      config: codeLimits.send,
      schema: {
        operationId: `${operations}.email_initiate`,
        summary: 'Start a sign-in by email',
        description: sendDescription,
        tags,
        body: EmailAuthRequest,
        examples: examples.sentByEmail,
        errors: sendErrors,
        response: { 200: OTPResponse },
      },
    },
    (request) =>
      otpFlow.send(
        { loc: ['body', 'email'], text: request.body.email },
        originOf(request, clock.now()),
      ),
  );
}

function plainRoutes(app: Routes, { otpFlow, clock, operations }: OtpRoutesOptions): void {
  for (const name of ['send', 'resend'] as const) {
    app.post(
      `/otp/${name}`,
      {
        config: codeLimits.send,
        schema: {
          operationId: `${operations}.otp_${name}`,
          summary: name === 'send' ? 'Send a code' : 'Send another code',
          description: sendDescription,
          tags,
          querystring: IdentifierQuery,
          examples: examples.sentByEmail,
          errors: sendErrors,
          response: { 200: OTPResponse },
        },
      },
      (request) => {
        const { identifier, country } = request.query;
        return otpFlow.send(
          { loc: ['query', 'identifier'], text: identifier, country },
          originOf(request, clock.now()),
        );
      },
    );
  }

  for (const [path, name] of [
    ['/otp/verify', 'otp_verify'],
    ['/mobile/verify', 'mobile_verify'],
  ] as const) {
    app.post(
      path,
      {
        config: codeLimits.verify,
        schema: {
          operationId: `${operations}.${name}`,
          summary: 'Sign in with a code',
          description: verifyDescription,
          tags,
          body: VerifyOTPRequest,
          examples: name === 'mobile_verify' ? examples.verifiedOnPhone : {},
          errors: [...verifyErrors, 'auth.invalid_mfa_token'],
          response: { 200: TokenResponse },
        },
      },
      (request) => {
        const { code, mfa_token: mfaToken } = request.body;
        const from = originOf(request, clock.now());
        return mfaToken === undefined
          ? otpFlow.verify(identifierInput(request.body), enteredCode(request.body), from)
          : otpFlow.complete(mfaToken, code, from);
      },
    );
  }
}

/** One-time codes: every path below `/api/auth` and `/auth`. */
export const otpRoutes: FastifyPluginAsyncZod<OtpRoutesOptions> = async (app, options) => {
  noStore(app);
  allowApps(app);
  cmykRoutes(app, options);
  cmykPhoneOnlyRoute(app, options);
  mobileRoutes(app, options);
  plainRoutes(app, options);
};

/** The two paths of the mobile client, below `/api/cmyk/auth/otp`. */
export const mobileClientRoutes: FastifyPluginAsyncZod<OtpRoutesOptions> = async (
  app,
  { otpFlow, clock },
) => {
  noStore(app);
  allowApps(app);
  app.post(
    '/send',
    {
      config: codeLimits.send,
      schema: {
        operationId: 'otp.mobile_client_send',
        summary: 'Send a code to a phone',
        description: sendDescription,
        tags,
        body: PhoneBody,
        examples: examples.sentByPhone,
        errors: sendErrors,
        response: { 200: OTPResponse },
      },
    },
    (request) => otpFlow.send(phoneInput(request.body), originOf(request, clock.now())),
  );

  app.post(
    '/verify',
    {
      config: codeLimits.verify,
      schema: {
        operationId: 'otp.mobile_client_verify',
        summary: 'Sign in with a code',
        description: verifyDescription,
        tags,
        body: PhoneCodeBody,
        examples: examples.verifiedByPhone,
        errors: verifyErrors,
        response: { 200: TokenResponse },
      },
    },
    (request) =>
      otpFlow.verify(
        phoneInput(request.body),
        enteredCode(request.body),
        originOf(request, clock.now()),
      ),
  );
};
