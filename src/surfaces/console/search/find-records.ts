import type { BoundResource, Entry } from '../../../platform/resource/resource.ts';
import { threadPath } from '../contact/contact-paths.ts';
import { resourcePath } from '../resources/resource-paths.ts';
import { sectionPath } from '../sections.ts';
import type { Found, FoundGroup, Search } from './search.ts';
import { texts } from './texts/en.ts';

const { groups } = texts;

/** A short link of this service, such as `https://host/q/abc?x`: its code is what follows. */
const shortLink = /\/[qn]\/([^/?#\s]+)/;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The first member of an entry that is a text with something in it. */
const firstOf = (entry: Entry, ...members: string[]): string =>
  members.map((member) => textOf(entry[member])).find((text) => text !== '') ?? '';

/** The entries of a resource that contain the text, as its list finds them, newest first. */
async function entries(
  { text, limit, by }: Search,
  { resource, service }: BoundResource,
  toFound: (entry: Entry) => Found,
): Promise<Found[]> {
  const [sort] = resource.sorts;
  const { data } = await service.list({ q: text, sort, limit }, by.signal);
  return data.map(toFound);
}

/** QR codes, NFC tags, messages, waitlist entries and sign-ups. For admins. */
export async function findRecords(made: Search): Promise<FoundGroup[]> {
  const { qrCodes, nfcTags, contactMessages, waitlistEntries, resourceList } = made.services;
  const signups = resourceList.find(({ resource: { name } }) => name === 'signups');
  const ofLink: Search = { ...made, text: shortLink.exec(made.text)?.[1] ?? made.text };
  const [codes, tags, messages, waiting, signedUp] = await Promise.all([
    entries(ofLink, qrCodes, (code) => ({
      name: firstOf(code, 'name'),
      hint: firstOf(code, 'url', 'short_url'),
      href: `${resourcePath(qrCodes.resource)}/${code.id}`,
    })),
    entries(ofLink, nfcTags, (tag) => ({
      name: firstOf(tag, 'name'),
      hint: firstOf(tag, 'target', 'url'),
      href: `${resourcePath(nfcTags.resource)}/${tag.id}`,
    })),
    entries(made, contactMessages, (message) => ({
      name: firstOf(message, 'name', 'email'),
      hint: firstOf(message, 'subject', 'message').slice(0, 80),
      href: threadPath(message.id),
    })),
    entries(made, waitlistEntries, (entry) => ({
      name: firstOf(entry, 'name', 'email'),
      hint: firstOf(entry, 'email'),
      href: `${sectionPath('waitlist')}/${entry.id}`,
    })),
    signups === undefined
      ? []
      : entries(made, signups, (entry) => ({
          name: firstOf(entry, 'name', 'email'),
          hint: firstOf(entry, 'company', 'email'),
          href: `${resourcePath(signups.resource)}/${entry.id}`,
        })),
  ]);
  return [
    { title: groups.qrCodes, icon: 'qr', found: codes },
    { title: groups.nfcTags, icon: 'tag', found: tags },
    { title: groups.messages, icon: 'mail', found: messages },
    { title: groups.waitlist, icon: 'clock', found: waiting },
    { title: groups.signups, icon: 'user', found: signedUp },
  ];
}
