import type { DescribedType } from './schema-description.ts';
import { texts } from './texts/en.ts';

const { groups } = texts.schema;
type GroupName = keyof typeof groups;

/** Groups by how the names of their types begin. The first that fits is taken. */
const beginnings: readonly (readonly [GroupName, RegExp])[] = [
  ['operations', /^(Query|Mutation|Subscription)$/],
  [
    'analytics',
    /^(Analytics|Site|Dashboard|ComparedTotals|DroppedEvents|EventRow|PageRow|VisitRow)/,
  ],
  ['status', /^(Status|Component|Incident|Maintenance|AffectedComponent|DeletedStatus|Health)/],
  ['people', /^(User|Role|Session|EndSessions|Device|Viewer|AssuranceLevel|Signup)/],
  ['waitlist', /^Waitlist/],
  ['contact', /^(Contact|SavedReply)/],
  ['qr', /^QrCode/],
  ['nfc', /^Nfc/],
  ['keys', /^(ApiKey|Audit)/],
];

/** `IncidentInput` of `UpdateIncidentInput`: the type is about the same thing. */
const subjectOf = (name: string): string =>
  name.replace(/^(Create|Update|Delete|Revoke|AdminStatus)(?=[A-Z])/, (verb) =>
    verb === 'AdminStatus' ? 'Status' : '',
  );

function groupOf({ name }: DescribedType): GroupName {
  const subject = subjectOf(name);
  return beginnings.find(([, beginning]) => beginning.test(subject))?.[0] ?? 'shared';
}

export interface TypeGroup {
  id: GroupName;
  title: string;
  lead: string;
  types: readonly DescribedType[];
}

/** The types by what they are about, so that a person finds one among hundreds. */
export function groupTypes(types: readonly DescribedType[]): TypeGroup[] {
  const names = [...beginnings.map(([name]) => name), 'shared'] as const;
  return names
    .map((id) => ({ id, ...groups[id], types: types.filter((type) => groupOf(type) === id) }))
    .filter(({ types: found }) => found.length > 0);
}
