import { capitalized } from '../../../lib/text/case.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';
import type { NavLink } from '../../../platform/ui/components/navigation.tsx';
import { sections } from '../sections.ts';
import { titleOf } from './entry-title.ts';
import { entryPath, resourcePath, sectionOf } from './resource-paths.ts';

/** The page above a list: the section, unless that is the list itself. */
export function aboveList(resource: Resource): NavLink[] {
  const section = sections.find(({ id }) => id === sectionOf(resource));
  return section === undefined || consolePath + section.path === resourcePath(resource)
    ? []
    : [{ href: consolePath + section.path, text: section.name }];
}

/** The pages above an entry: the section and the list. */
export const aboveEntry = (resource: Resource): NavLink[] => [
  ...aboveList(resource),
  { href: resourcePath(resource), text: capitalized(resource.texts.many) },
];

/** The pages above a form about an entry: with the entry, where that has a page. */
export const aboveForm = (resource: Resource, entry: Entry): NavLink[] =>
  resource.entryPage === undefined
    ? aboveEntry(resource)
    : [
        ...aboveEntry(resource),
        { href: entryPath(resource, entry.id), text: titleOf(resource, entry) },
      ];
