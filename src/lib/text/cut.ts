/** The text, cut where it is longer than `most` characters. */
export const cutText = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters)`;

/** As many of the first entries as have no more than `most` characters of JSON together. */
export function fitting<Entry>(entries: readonly Entry[], most: number): Entry[] {
  let left = most;
  const end = entries.findIndex((entry) => (left -= JSON.stringify(entry).length) < 0);
  return end === -1 ? [...entries] : entries.slice(0, end);
}
