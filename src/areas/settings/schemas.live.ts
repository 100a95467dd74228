import { z } from 'zod';
import { parseDomainRule } from '../../lib/net/domain-rules.ts';
import { liveVariables } from '../../platform/settings/live-settings.ts';

const signUps = ['open', 'invitation', 'domain'] as const;
const registrations = ['open', 'closed'] as const;

const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(255)
  .refine(
    (text) => parseDomainRule(text) !== undefined,
    'must be a domain such as example.com or *.example.com',
  );

/** What is saved of the settings. A member that is null is at its default. */
export const SavedSettingsMembers = z.object({
  sign_up: z
    .enum(signUps)
    .nullable()
    .describe(
      'Who can create an account: `open`, `invitation` (invited people) or `domain` (also people ' +
        'of `sign_up_domains`). Null: the default, `open`.',
    ),
  sign_up_domains: z
    .array(domain)
    .max(100)
    .describe('Domains of `domain`. `*.` means all subdomains, without the domain itself.'),
  site_registration: z
    .enum(registrations)
    .nullable()
    .describe(
      '`open`: an unknown site is added with its first event. `closed`: its events are refused. ' +
        'Null: the default, closed in production.',
    ),
  waitlist_total: z
    .boolean()
    .nullable()
    .describe('Whether the public waitlist says how many people wait. Null: the default, true.'),
  waitlist_leaderboard: z
    .boolean()
    .nullable()
    .describe('Whether the public waitlist has a leaderboard. Null: the default, true.'),
});

const example = {
  sign_up: 'domain' as const,
  sign_up_domains: ['example.com'],
  site_registration: null,
  waitlist_total: false,
  waitlist_leaderboard: null,
};

export const UpdateSettingsBody = SavedSettingsMembers.partial()
  .strict()
  .meta({ examples: [{ sign_up: 'domain', sign_up_domains: ['example.com'] }] });
export type UpdateSettingsBody = z.output<typeof UpdateSettingsBody>;

export const SettingsView = SavedSettingsMembers.extend({
  effective: z
    .object({
      sign_up: z.enum(signUps),
      sign_up_domains: z.array(z.string()),
      site_registration: z.enum(registrations),
      waitlist_total: z.boolean(),
      waitlist_leaderboard: z.boolean(),
    })
    .describe('What holds: the environment, else what was saved, else the default.'),
  fixed: z
    .array(z.enum(Object.keys(liveVariables)))
    .describe('Members that a variable of the environment sets. They can’t be changed here.'),
  changed_at: z.iso.datetime().nullable().describe('When they were last saved.'),
}).meta({
  id: 'Settings',
  description: 'The settings that admins change while the service runs.',
  examples: [
    {
      ...example,
      effective: {
        sign_up: 'domain',
        sign_up_domains: ['example.com'],
        site_registration: 'closed',
        waitlist_total: false,
        waitlist_leaderboard: true,
      },
      fixed: ['site_registration'],
      changed_at: '2026-11-02T09:30:00.000Z',
    },
  ],
});
export type SettingsView = z.output<typeof SettingsView>;
