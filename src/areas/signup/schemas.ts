import { z } from 'zod';
import { countryCode } from '../../lib/text/text-patterns.ts';
import { trimmedLine } from '../../platform/validation/text-schemas.ts';
import { emailKey } from '../../lib/identifiers.ts';

const code = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[\w.-]*$/, 'must be letters, digits, dots, dashes and underscores');
const time = z.iso.datetime();

export const SignupBody = z
  .object({
    email: z
      .string()
      .max(1024)
      .describe('Email address. A confirmation email is sent to it.')
      .meta({ examples: ['ada@example.com'] }),
    name: trimmedLine(200).optional(),
    company: trimmedLine(200).optional(),
    phone: z
      .string()
      .trim()
      .max(40)
      .optional()
      .describe('International number starting with a plus sign, such as `+1 415 555 0132`.'),
    country: z
      .string()
      .regex(countryCode)
      .optional()
      .describe(
        'Country (ISO 3166-1 alpha-2) of the number in `phone`, for numbers that do not ' +
          'start with a plus sign.',
      ),
    plan: code(64)
      .optional()
      .describe('Id of a plan from /pricing. Other ids get 422, with a list of the ids.')
      .meta({ examples: ['self-hosted'] }),
    referral_code: code(64).optional(),
    consent: z
      .boolean()
      .optional()
      .describe('Consent to the terms and the privacy policy. Required for form submissions.'),
    website: z.string().max(1024).optional().describe('Leave empty. A honeypot for bots.'),
  })
  .meta({
    id: 'SignupBody',
    examples: [
      {
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        company: 'Example Ltd',
        plan: 'self-hosted',
        consent: true,
      },
    ],
  });
export type SignupBody = z.output<typeof SignupBody>;

export const SignupAsked = z.object({ detail: z.string() }).meta({
  id: 'RequestedSignup',
  description: 'The request was accepted. The response is the same for every address.',
  examples: [{ detail: 'An email is on its way.' }],
});
export const SignupConfirmed = z.object({ detail: z.string() }).meta({
  id: 'ConfirmedSignup',
  description: 'The address is confirmed.',
  examples: [{ detail: 'Confirmed.' }],
});

const shownText = z.string().max(64).default('').catch('');
export const FormQuery = z.object({
  plan: shownText.describe('Prefills the form.'),
  referral_code: shownText.describe('Prefills the form.'),
});

export const signupFilters = {
  email: z
    .string()
    .max(320)
    .overwrite(emailKey)
    .describe('Only this email address.')
    .meta({ examples: ['ada@example.com'] }),
  confirmed: z.boolean().describe('Only confirmed, or only unconfirmed, sign-ups.'),
};
export const SignupView = z
  .object({
    id: z.uuid(),
    email: z.string().meta({ examples: ['ada@example.com'] }),
    name: z
      .string()
      .nullable()
      .meta({ examples: ['Ada Lovelace'] }),
    company: z
      .string()
      .nullable()
      .meta({ examples: ['Analytical Engines Ltd'] }),
    phone: z
      .string()
      .nullable()
      .describe('E.164.')
      .meta({ examples: ['+14155550132'] }),
    plan: z
      .string()
      .nullable()
      .meta({ examples: ['team'] }),
    referral_code: z
      .string()
      .nullable()
      .meta({ examples: ['k7tm4q2x'] }),
    consent_at: time.nullable().describe('When consent was given.'),
    created_at: time,
    confirmed_at: time
      .nullable()
      .describe('Null until the user opens the link in the email and confirms.'),
  })
  .meta({ id: 'Signup', description: 'A sign-up.' });
