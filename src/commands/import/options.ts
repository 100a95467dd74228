import { addressArguments, type AddressOptions } from '../service/address.ts';
import { CommandError, readArguments, usageError } from '../service/command.ts';

export const importHelp =
  'Usage: npm run import -- FILE [options]\n\nSends the events of a file to a running ' +
  'service. Events of a file that is sent again are not counted twice.\n\n  FILE             ' +
  "    an export of this service (ndjson, csv), Umami's website_event.csv, or the\n         " +
  '              unpacked folder of a Plausible export\n  --from-format NAME   ' +
  'export-ndjson, export-csv, umami or plausible (default: detected from the\n              ' +
  '         first line)\n  --site SITE          the site of all events; needed for umami ' +
  'and plausible\n  --website ID         umami: import only the rows of this website_id\n  ' +
  '--timezone ZONE      plausible: time zone of its days, such as Europe/Berlin (default: ' +
  'UTC)\n  --resume-from LINE   skip the lines before this one\n  --skip-bad           exit ' +
  'with 0 even if rows were rejected\n  --url URL            the service (default: ' +
  'BASE_URL, else this machine and PORT)\n  --key-file FILE      file with an API key that ' +
  'has analytics:write (default: API_KEY or\n                       ADMIN_API_KEY of the ' +
  'environment)';

const importFormats = ['export-ndjson', 'export-csv', 'umami', 'plausible'] as const;
export type ImportFormat = (typeof importFormats)[number];

export interface ImportOptions {
  path: string;
  /** Undefined: detect it. */
  format: ImportFormat | undefined;
  site: string | undefined;
  website: string | undefined;
  timezone: string;
  /** The first line to send, counted from 1. */
  resumeFrom: number;
  skipBad: boolean;
  address: AddressOptions;
}

const usage = (message: string): CommandError => usageError(message, importHelp);

const argumentsOfImport = {
  ...addressArguments,
  'from-format': { type: 'string', default: 'auto' },
  site: { type: 'string' },
  website: { type: 'string' },
  timezone: { type: 'string', default: 'UTC' },
  'resume-from': { type: 'string', default: '1' },
  'skip-bad': { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function readFormat(text: string): ImportFormat | undefined {
  if (text === 'auto') return undefined;
  const format = importFormats.find((name) => name === text);
  if (format === undefined)
    throw usage(`There is no format "${text}": use ${importFormats.join(', ')} or auto.`);
  return format;
}

function readLine(text: string): number {
  const line = Number(text);
  if (!Number.isSafeInteger(line) || line < 1) throw usage(`"${text}" is no line number.`);
  return line;
}

function readTimezone(zone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch (cause) {
    throw new CommandError(`There is no time zone "${zone}": use a name such as Europe/Berlin.`, {
      exitCode: 2,
      cause,
    });
  }
}

/** Reads the arguments; undefined to show the help. Throws a CommandError for invalid ones. */
export function readImportOptions(argv: readonly string[]): ImportOptions | undefined {
  const config = { args: [...argv], allowPositionals: true, options: argumentsOfImport };
  const { values, positionals } = readArguments(config, importHelp);
  const [path, ...more] = positionals;
  if (values.help) return undefined;
  if (path === undefined || more.length > 0) throw usage('Name one file or folder.');
  return {
    path,
    format: readFormat(values['from-format']),
    site: values.site,
    website: values.website,
    timezone: readTimezone(values.timezone),
    resumeFrom: readLine(values['resume-from']),
    skipBad: values['skip-bad'],
    address: { url: values.url, keyFile: values['key-file'] },
  };
}
