import { consolePath } from '../../../lib/site-paths.ts';
import type { ConsolePath } from '../sections.ts';

/** The list of tags. */
export const tagsPath: ConsolePath = `${consolePath}nfc`;

/** The first step of adding a tag. */
export const newTagPath: ConsolePath = `${tagsPath}/new`;

/** The alarms of all tags. */
export const alarmsPath: ConsolePath = `${tagsPath}/alarms`;

/** The parts of the page of a tag. */
export const tagTabs = ['taps', 'alarms', 'settings'] as const;
export type TagTab = (typeof tagTabs)[number];

/** The page of a tag, or a part of it. */
export const tagPath = (id: string, tab: TagTab = 'taps'): ConsolePath =>
  tab === 'taps' ? `${tagsPath}/${id}` : `${tagsPath}/${id}/${tab}`;

/** The page of the form that deletes a tag. */
export const deleteTagPath = (id: string): ConsolePath => `${tagsPath}/${id}/delete`;

/** The files for encoders. */
export const sheetPath = (id: string, file: 'sheet' | 'keys'): ConsolePath =>
  `${tagsPath}/${id}/encoding/${file}`;

/** The page that writes a tag. */
export const writePath = (id: string): ConsolePath => `${tagsPath}/${id}/write`;
