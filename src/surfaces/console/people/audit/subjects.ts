import type { AuditEventView } from '../../../../areas/audit/schemas.ts';
import { isUuid } from '../../../../lib/ids.ts';
import type { BoundResource, Entry } from '../../../../platform/resource/resource.ts';
import type { ConsoleServices } from '../../context.ts';
import { withQuery } from '../../components/navigation.tsx';
import { threadPath } from '../../contact/contact-paths.ts';
import { entryPath } from '../../resources/resource-paths.ts';
import { sectionPath } from '../../sections.ts';
import { invitationsPath } from '../invitations/invitations-path.ts';
import { addressOf, nameOf, userPath } from '../labels.tsx';
import { texts } from '../texts/en.ts';
import { knownIdentifiers } from './known-identifiers.ts';

/** What an entry is about, in words, with its page. */
export interface Subject {
  name: string;
  /** Unset: it has no page. */
  href?: string | undefined;
  /** The user whose it is, and what it is called where they are the one who acts. */
  ownerId?: string;
  own?: string;
}

/** Subjects by kind and id. */
export type Subjects = ReadonlyMap<string, Subject>;

export const subjectKey = (kind: string, id: string): string => `${kind} ${id}`;

type Found = readonly (readonly [key: string, subject: Subject])[];

/** The distinct ids of one kind, as actors, targets and owners of devices. */
function idsOf(entries: readonly AuditEventView[], kind: string): string[] {
  const parties = entries.flatMap(({ actor, target }) => [actor, target]);
  const ids = parties.flatMap((party) => (party?.kind === kind && party.id ? [party.id] : []));
  return [...new Set(ids)];
}

/** The ids in the details of entries, such as of the owner of a device. */
const idsInDetails = (entries: readonly AuditEventView[]): string[] =>
  entries.flatMap(({ details }) =>
    Object.values(details).flatMap((value) =>
      typeof value === 'string' && isUuid(value) ? [value] : [],
    ),
  );

const quoted = (name: string): string => `“${name}”`;

async function readUsers(
  { users }: Pick<ConsoleServices, 'users'>,
  ids: readonly string[],
): Promise<Found> {
  const found = await users.findAll([...new Set(ids.filter(isUuid))]);
  return found.map((user) => [
    subjectKey('user', user.id),
    { name: user.name ?? addressOf(user) ?? nameOf(user), href: userPath(user.id) },
  ]);
}

async function readIdentifiers(
  services: ConsoleServices,
  entries: readonly AuditEventView[],
): Promise<Found> {
  const known = await knownIdentifiers(services, entries);
  return [...known].map(([hash, user]) => [
    subjectKey('identifier', hash),
    { name: user.name ?? addressOf(user) ?? nameOf(user), href: userPath(user.id) },
  ]);
}

/** Reads each by its id; what was deleted meanwhile is left out. */
async function readEach<Read>(
  kind: string,
  ids: readonly string[],
  read: (id: string) => Promise<Read>,
  toSubject: (read: Read, id: string) => Subject,
): Promise<Found> {
  const found = await Promise.allSettled(ids.map(read));
  return found.flatMap((each, at) => {
    const id = ids[at] ?? '';
    return each.status === 'fulfilled'
      ? [[subjectKey(kind, id), toSubject(each.value, id)] as const]
      : [];
  });
}

const nameIn = (entry: Entry): string =>
  [entry.name, entry.email].find((text) => typeof text === 'string' && text !== '')?.toString() ??
  '';

const readEntries = (
  kind: string,
  entries: readonly AuditEventView[],
  { service }: BoundResource,
  toSubject: (entry: Entry) => Subject,
): Promise<Found> => readEach(kind, idsOf(entries, kind), (id) => service.get(id), toSubject);

function readDevices(services: ConsoleServices, entries: readonly AuditEventView[]) {
  const { management } = services.devices;
  return readEach(
    'device',
    idsOf(entries, 'device'),
    async (id) => {
      const device = await management.get(id, 'all');
      const [owner] = await services.users.findAll([device.user_id]);
      return { device, owner };
    },
    ({ device, owner }) => ({
      name:
        owner === undefined
          ? device.name
          : texts.activity.ownDevice({ device: device.name, owner: nameOf(owner) }),
      href: `${userPath(device.user_id)}#devices`,
      ownerId: device.user_id,
      own: texts.activity.theirDevice({ device: device.name }),
    }),
  );
}

/** What the details of entries name themselves: incidents, components, keys, sites. */
function namedInDetails(entries: readonly AuditEventView[]): Found {
  const status = sectionPath('status');
  const hrefs: Readonly<Partial<Record<string, (id: string) => string>>> = {
    status_incident: (id) => `${status}/incidents/${id}`,
    status_maintenance: (id) => `${status}/incidents/${id}`,
    status_component: (id) => `${status}/components/${id}`,
    api_key: () => sectionPath('keys'),
  };
  return entries.flatMap(({ target, details }) => {
    const href = target === null ? undefined : hrefs[target.kind]?.(target.id);
    if (target === null || href === undefined || typeof details.name !== 'string') return [];
    const subject = { name: quoted(details.name), href };
    return [[subjectKey(target.kind, target.id), subject] as const];
  });
}

/** The site that an entry of analytics is about. */
export function siteIn({ action, target, details }: AuditEventView): Subject | undefined {
  if (!action.startsWith('analytics.')) return undefined;
  const own = target?.kind === 'analytics_site' ? target.id : undefined;
  const name = typeof details.site_id === 'string' ? details.site_id : own;
  return name === undefined
    ? undefined
    : { name, href: withQuery(sectionPath('analytics'), { site_id: name }) };
}

/** Reads what entries are about: people, devices, codes, messages. */
export async function readSubjects(
  services: ConsoleServices,
  entries: readonly AuditEventView[],
): Promise<Subjects> {
  const { contactMessages, savedReplies, qrCodes, nfcTags, waitlistEntries } = services;
  const pageOf = ({ resource }: BoundResource, id: string) => entryPath(resource, id);
  const found = await Promise.all([
    readIdentifiers(services, entries),
    readUsers(services, [...idsOf(entries, 'user'), ...idsInDetails(entries)]),
    readDevices(services, entries),
    readEach(
      'invitation',
      idsOf(entries, 'invitation'),
      (id) => services.invitations.get(id),
      ({ email }) => ({ name: email, href: invitationsPath }),
    ),
    readEach(
      'api_key',
      idsOf(entries, 'api_key'),
      (id) => services.apiKeys.get(id),
      ({ name }) => ({ name: quoted(name), href: sectionPath('keys') }),
    ),
    readEntries('contact_message', entries, contactMessages, (message) => ({
      name: nameIn(message),
      href: threadPath(message.id),
    })),
    readEntries('contact_saved_reply', entries, savedReplies, (reply) => ({
      name: quoted(nameIn(reply)),
      href: pageOf(savedReplies, reply.id),
    })),
    readEntries('qr_code', entries, qrCodes, (code) => ({
      name: quoted(nameIn(code)),
      href: pageOf(qrCodes, code.id),
    })),
    readEntries('nfc_tag', entries, nfcTags, (tag) => ({
      name: quoted(nameIn(tag)),
      href: pageOf(nfcTags, tag.id),
    })),
    readEntries('waitlist_entry', entries, waitlistEntries, (entry) => ({
      name: nameIn(entry),
      href: `${sectionPath('waitlist')}/${entry.id}`,
    })),
  ]);
  return new Map([...namedInDetails(entries), ...found.flat()]);
}
