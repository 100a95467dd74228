import type { Requester } from '../../../platform/http/requests/requester.ts';
import type { IconName } from '../../../platform/ui/icon.tsx';
import type { ConsoleServices } from '../context.ts';
import type { Viewer } from '../viewer.ts';
import { findPeople } from './find-people.ts';
import { findRecords } from './find-records.ts';
import { findService } from './find-service.ts';
import { isNamed, placesFor } from './places.ts';
import { texts } from './texts/en.ts';

/** Something that has a page. */
export interface Found {
  name: string;
  /** Short description, such as an email address. */
  hint: string;
  href: string;
}

/** What was found of one kind. */
export interface FoundGroup {
  title: string;
  icon: IconName;
  found: readonly Found[];
}

/** What a search is made with. */
export interface Search {
  services: ConsoleServices;
  text: string;
  /** The most entries of one kind. */
  limit: number;
  by: Requester;
}

/** The pages whose names, or other words, have all words of a text. */
export const findPages = (text: string, { roles }: Viewer): FoundGroup => ({
  title: texts.groups.pages,
  icon: 'list',
  found:
    text === ''
      ? []
      : placesFor(roles)
          .filter((place) => isNamed(place, text))
          .map(({ name, href }) => ({ name, hint: '', href })),
});

/**
 * Searches everything in the console by any part of its text, at most `limit` of each kind. Viewers
 * find sites, what is on the status page, and guides; admins also find people and records.
 */
export async function search(
  services: ConsoleServices,
  text: string,
  viewer: Viewer,
  { by, limit }: Pick<Search, 'by' | 'limit'>,
): Promise<FoundGroup[]> {
  if (text === '') return [];
  const made: Search = { services, text, limit, by };
  const [people, records, service] = await Promise.all([
    viewer.isAdmin ? findPeople(made) : [],
    viewer.isAdmin ? findRecords(made) : [],
    findService(made),
  ]);
  return [...people, ...records, ...service].filter(({ found }) => found.length > 0);
}
