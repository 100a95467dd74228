import { addressArguments, type AddressOptions } from '../service/address.ts';
import { CommandError, readArguments } from '../service/command.ts';

export const exportHelp = `Usage: npm run export -- [options]

Writes the events of a running service to a file or to standard output.

  --out FILE         write to FILE; it appears under this name only when it is complete
  --format FORMAT    ndjson (default), csv or parquet
  --site SITE        only this site; all sites otherwise
  --from TIME        from this UTC day (2026-01-31) or instant (2026-01-31T12:00:00Z) on
  --to TIME          before this UTC day or instant
  --filter FILTER    dimension:operator:value, may be repeated
  --columns A,B,C    only these columns, and id
  --url URL          the service (default: BASE_URL, else this machine and PORT)
  --key-file FILE    file with an API key that has analytics:read (default: API_KEY or
                     ADMIN_API_KEY of the environment)`;

const formats = ['ndjson', 'csv', 'parquet'] as const;
type Format = (typeof formats)[number];

export interface ExportOptions {
  address: AddressOptions;
  out: string | undefined;
  format: Format;
  /** The body of POST /analytics/export/events/. */
  body: Record<string, unknown>;
}

const isFormat = (text: string): text is Format => (formats as readonly string[]).includes(text);

function readFormat(given: string | undefined, out: string | undefined): Format {
  const format = given ?? formats.find((name) => out?.endsWith(`.${name}`)) ?? 'ndjson';
  if (!isFormat(format))
    throw new CommandError(`There is no format "${format}": use ${formats.join(', ')}.`);
  return format;
}

const argumentsOfExport = {
  ...addressArguments,
  out: { type: 'string' },
  format: { type: 'string' },
  site: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  filter: { type: 'string', multiple: true },
  columns: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the arguments; undefined to show the help. Throws a CommandError for invalid ones. */
export function readExportOptions(argv: readonly string[]): ExportOptions | undefined {
  const config = { args: [...argv], options: argumentsOfExport };
  const { values } = readArguments(config, exportHelp);
  const { out, site, from, to, filter } = values;
  if (values.help === true) return undefined;
  const format = readFormat(values.format, out);
  const columns = values.columns
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return {
    address: { url: values.url, keyFile: values['key-file'] },
    out,
    format,
    body: { format, site_id: site, from, to, filter, columns },
  };
}
