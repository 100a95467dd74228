import { consolePath } from '../../../lib/site-paths.ts';
import { toSnakeCase } from '../../../lib/text/case.ts';
import type { ConsolePath } from '../sections.ts';
import type { Resource } from '../../../platform/resource/resource.ts';

export const recordsPath = `${consolePath}records`;

/** The page of a resource: its name below the records, or its own section. */
export const resourcePath = ({ name, consolePage }: Resource): ConsolePath =>
  consolePage === undefined
    ? `${recordsPath}/${toSnakeCase(name).replaceAll('_', '-')}`
    : `${consolePath}${consolePage}`;

/** Whether a page made from the resource imports entries. */
export const hasImportPage = ({ create, hasImportPage: isWanted = true }: Resource): boolean =>
  create !== undefined && isWanted;

/** The page that imports entries of a resource. */
export const importPath = (resource: Resource): ConsolePath => `${resourcePath(resource)}/import`;
