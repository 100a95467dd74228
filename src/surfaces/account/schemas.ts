import { z } from 'zod';
import { redirectResponse } from '../../platform/ui/page-scope.ts';

// Longer than any valid path: a path that is too long leads to the default page, like any other
// invalid one.
const maxLength = 16_384;
const next = z.string().max(maxLength).default('');
const code = z.string().max(64).default('');
/** Which notice the page shows after a form. */
const done = z
  .string()
  .max(32)
  .optional()
  .meta({ examples: ['saved'] });

export const LoginQuery = z.object({
  next: z
    .string()
    .max(maxLength)
    .optional()
    .describe('Path on this service to redirect to after sign-in.')
    .meta({ examples: ['/account'] }),
  reason: z
    .string()
    .max(32)
    .optional()
    .describe(
      '`fresh` or `second_factor`: why a signed-in user must sign in again. ' +
        '`idp_refused`: the identity provider rejected the sign-in.',
    )
    .meta({ examples: ['fresh'] }),
  done,
});

/** Whether the form began at the sign-up page: it is the same sign-in, told in other words. */
const purpose = z.enum(['sign-in', 'sign-up']).default('sign-in').catch('sign-in');
export type Purpose = z.output<typeof purpose>;

export const IdentifierForm = z.object({
  identifier: z.string().max(1024).default(''),
  verification_id: z.string().max(64).default(''),
  next,
  purpose,
});
export type IdentifierForm = z.output<typeof IdentifierForm>;

export const CodeForm = z.object({
  identifier: z.string().min(1).max(1024),
  verification_id: z.string().max(64),
  code,
  next,
  purpose,
});
export type CodeForm = z.output<typeof CodeForm>;

export const SecondFactorForm = z.object({ mfa_token: z.string().max(1024), code, next });
export type SecondFactorForm = z.output<typeof SecondFactorForm>;

/** JSON from the passkey script, which the passkeys area parses. */
const credential = z.string().max(65_536).default('');

export const PasskeyFactorForm = z.object({ mfa_token: z.string().max(1024), credential, next });
export type PasskeyFactorForm = z.output<typeof PasskeyFactorForm>;

export const AccountQuery = z.object({ done });
export const EndSessionForm = z.object({ id: z.uuid() });
export const PasskeyForm = z.object({ credential, name: z.string().max(1024).default('') });
export type PasskeyForm = z.output<typeof PasskeyForm>;
export const PasskeyIdForm = z.object({ id: z.uuid() });
export const ConfirmForm = z.object({
  code,
  uri: z
    .string()
    .max(1024)
    .regex(/^otpauth:\/\/totp\//),
});

const field = z.string().max(1024).default('');
export const ProfileForm = z.object({ name: field, zoneinfo: field });
export type ProfileForm = z.output<typeof ProfileForm>;
export const EmailForm = z.object({ email: field });
export const PhoneForm = z.object({ phone: field });
export const ContactCodeForm = z.object({ code });
export type ContactCodeForm = z.output<typeof ContactCodeForm>;

/** The response of a page, for the API reference. */
export const HtmlPage = { content: { 'text/html': { schema: z.string() } } };

const tags = ['pages'];
/** The schema of a route for a page of the account. `contents`: what the page shows. */
export const pageSchema = (operationId: string, summary: string, contents: string) => ({
  operationId,
  summary,
  description: `${contents} Redirects to the sign-in page if you are not signed in (303).`,
  tags,
  response: {
    200: HtmlPage,
    ...redirectResponse('Not signed in: redirect to the sign-in page.'),
  },
});

/** The schema of a route for a form. The API reference leaves it out. */
export const formSchema = (operationId: string, summary: string) => ({
  operationId,
  summary: `Form: ${summary}`,
  tags,
  hide: true,
});
