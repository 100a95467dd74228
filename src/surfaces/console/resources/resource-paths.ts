import { consolePath } from '../../../lib/site-paths.ts';
import { type ConsolePath, type SectionId, sections } from '../sections.ts';
import type { Resource } from '../../../platform/resource/resource.ts';

/** Whether the console has the list of a resource. */
export const isInConsole = ({ consolePage, consoleList }: Resource): boolean =>
  (consolePage ?? consoleList) !== undefined;

/** The list of a resource in the console. Throws TypeError for one that isn't there. */
export function resourcePath({ name, consolePage, consoleList }: Resource): ConsolePath {
  const path = consolePage ?? consoleList;
  if (path === undefined) throw new TypeError(`The console has no page of ${name}`);
  return `${consolePath}${path}`;
}

/** The page of an entry: one of its own, else the form that changes it. */
export const entryPath = (resource: Resource, id: string): ConsolePath =>
  resource.entryPage === undefined
    ? editPath(resource, id)
    : `${consolePath}${resource.entryPage}/${id}`;

/** Where a form about an entry leads back to: its page, else the list. */
export const backPath = (resource: Resource, id: string): ConsolePath =>
  resource.entryPage === undefined ? resourcePath(resource) : entryPath(resource, id);

/** The section of the menu that the list of a resource belongs to. */
export function sectionOf(resource: Resource): SectionId | undefined {
  const path = resourcePath(resource);
  return sections
    .filter((each) => each.path !== '' && path.startsWith(consolePath + each.path))
    .toSorted((a, b) => b.path.length - a.path.length)[0]?.id;
}

/** Whether a page made from the resource imports entries. */
export const hasImportPage = ({ create, hasImportPage: isWanted = true }: Resource): boolean =>
  create !== undefined && isWanted;

/** The page that imports entries of a resource. */
export const importPath = (resource: Resource): ConsolePath => `${resourcePath(resource)}/import`;

/** An example of the file that an import takes. */
export const examplePath = (resource: Resource): ConsolePath => `${importPath(resource)}/example`;

/** The page with the form that adds an entry. */
export const newEntryPath = (resource: Resource): ConsolePath => `${resourcePath(resource)}/new`;

/** The page with the form that deletes an entry. */
export const deletePath = (resource: Resource, id: string): ConsolePath =>
  `${resourcePath(resource)}/${id}/delete`;

/** The page with the form that changes an entry. */
export const editPath = (resource: Resource, id: string): ConsolePath =>
  `${resourcePath(resource)}/${id}/edit`;
