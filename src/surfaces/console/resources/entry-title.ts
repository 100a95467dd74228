import { capitalized } from '../../../lib/text/case.ts';
import type { Entry, Resource } from '../../../platform/resource/resource.ts';

const maxLength = 80;

/** The name of an entry: its first short text. */
export function titleOf({ view, texts: { one } }: Resource, entry: Entry): string {
  const name = Object.keys(view.shape).find(
    (member) => member !== 'id' && typeof entry[member] === 'string' && entry[member] !== '',
  );
  const text = name === undefined ? undefined : entry[name];
  return typeof text === 'string' ? text.slice(0, maxLength) : capitalized(one);
}
