const delimiters = [',', ';', '\t'] as const;

/** How the cells of a CSV file are separated, and what stands before its header. */
export interface CsvDialect {
  delimiter: string;
  /** Characters before the header. */
  start: number;
  /** Lines before the header. */
  skippedLines: number;
}

/** The line that Excel writes and reads to name the separator; it may have empty cells. */
const separatorLine = /^\uFEFF?"?sep=([,;\t])"?[,;\t ]*(?:\r\n|\n|\r|$)/i;

/** Matches up to the end of the first line with any text. Longer headers are invalid anyway. */
const firstLine = /^[\r\n]{0,65536}([^\r\n]{0,65536})/;

/**
 * Tells the separator of a CSV file from a first line `sep=;`, or from its header: a comma, a
 * semicolon (which Excel writes where the comma is the decimal sign) or a tab, whichever it has
 * most, outside quotes.
 */
export function dialectOf(text: string): CsvDialect {
  const named = separatorLine.exec(text);
  if (named !== null)
    return { delimiter: named[1] ?? ',', start: named[0].length, skippedLines: 1 };
  const [, line = ''] = firstLine.exec(text.slice(0, 131_072)) ?? [];
  const header = line.replaceAll(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => header.split(delimiter).length);
  const delimiter = delimiters[counts.indexOf(Math.max(...counts))] ?? ',';
  return { delimiter, start: text.charCodeAt(0) === 0xfeff ? 1 : 0, skippedLines: 0 };
}
