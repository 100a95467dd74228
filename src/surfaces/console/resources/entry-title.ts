import { capitalized } from '../../../lib/text/case.ts';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';

const maxLength = 80;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** Whether entries are people, whom an address names where nothing better is known. */
export const isPerson = ({ email }: Entry): boolean => isText(email);

/** The name of an entry, else its first short text. */
export function titleOf({ view, texts: { one } }: Resource, entry: Entry): string {
  const texts = [entry.name, ...Object.keys(view.shape).map((member) => entry[member])];
  const title = texts.find((text) => isText(text) && text !== entry.id);
  return isText(title) ? title.slice(0, maxLength) : capitalized(one);
}
