/** Truncates a text to `maxLength` characters and appends its full length. */
export const truncateText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length} characters)`;

/** Returns as many of the first entries as fit into `maxLength` characters of JSON. */
export function fitting<Entry>(entries: readonly Entry[], maxLength: number): Entry[] {
  let left = maxLength;
  const end = entries.findIndex((entry) => (left -= JSON.stringify(entry).length) < 0);
  return end === -1 ? [...entries] : entries.slice(0, end);
}
