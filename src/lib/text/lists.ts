/** Returns the trimmed, non-empty entries of a comma-separated list. */
export function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Returns the entries of a comma-separated list of email addresses, in lower case. */
export function addressesOf(list: string): string[] {
  return entriesOf(list.toLowerCase());
}
