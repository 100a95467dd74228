import type { NavGroup, NavLink } from '../../../platform/ui/components/navigation.tsx';
import { texts } from '../texts/en/reference.ts';

/** The tags under each heading of the navigation. */
const tagGroups = {
  people: ['auth', 'otp', 'second-factor', 'account', 'users', 'invitations', 'scim', 'blackops'],
  analytics: ['analytics', 'goals', 'sites', 'sharing'],
  links: ['qr', 'qr-pictures', 'qr-batches', 'nfc'],
  reach: ['waitlist', 'signup', 'contact', 'deliverability', 'geoip'],
  status: ['status', 'incidents', 'health', 'jobs', 'audit', 'settings'],
  build: [
    'api-keys',
    'realtime',
    'graphql',
    'mcp',
    'payments',
    'web',
    'reference',
    'development',
    'pages',
  ],
} as const;

type Group = keyof typeof tagGroups | 'more';
const groups: readonly Group[] = [
  'people',
  'analytics',
  'links',
  'reach',
  'status',
  'build',
  'more',
];
const listed: Readonly<Partial<Record<Group, readonly string[]>>> = tagGroups;
const groupOf = new Map(
  groups.flatMap((group) => (listed[group] ?? []).map((tag) => [tag, group] as const)),
);

/** The links of tags under headings, in the order of the headings; the others at the end. */
export function groupTags(links: readonly (NavLink & { tag: string })[]): NavGroup[] {
  return groups
    .map((group) => ({
      title: texts.groups[group],
      links: links.filter(({ tag }) => (groupOf.get(tag) ?? 'more') === group),
    }))
    .filter((each) => each.links.length > 0);
}
