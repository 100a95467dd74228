import { emailKey } from '../identifiers.ts';

/** Returns the trimmed, non-empty entries of a comma-separated list. */
export function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Returns the keys of a comma-separated list of email addresses, as sign-in knows them. */
export const emailKeysOf = (list: string): string[] => entriesOf(list).map(emailKey);
