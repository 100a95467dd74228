/** The text, cut where it is longer than `most` characters. */
export const truncateText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength)}… (${text.length} characters)`;

/** As many of the first entries as have no more than `most` characters of JSON together. */
export function fitting<Entry>(entries: readonly Entry[], most: number): Entry[] {
  let left = most;
  const end = entries.findIndex((entry) => (left -= JSON.stringify(entry).length) < 0);
  return end === -1 ? [...entries] : entries.slice(0, end);
}
