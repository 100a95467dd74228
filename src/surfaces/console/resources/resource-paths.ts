import { consolePath } from '../../../lib/site-paths.ts';
import type { Resource } from '../../../platform/resource/resource.ts';

export const recordsPath = `${consolePath}records`;

/** The page of a resource: its last segment in the API, below the records, or its own section. */
export const resourcePath = ({ path, consolePage }: Resource): string =>
  consolePage === undefined
    ? `${recordsPath}/${path.split('/').at(-1) ?? ''}`
    : consolePath + consolePage;
