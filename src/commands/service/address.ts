import { readFileSync } from 'node:fs';
import { type Environment, givenSettings } from '../../platform/settings/given-settings.ts';
import { CommandError } from './command.ts';
import { parseUrl } from '../../lib/net/parse-url.ts';

/** The URL of the service, and an API key. */
export interface Address {
  base: URL;
  key: string;
}

export interface AddressOptions {
  url: string | undefined;
  keyFile: string | undefined;
}

/** `parseArgs` options of every command that calls a running service. */
export const addressArguments = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
} as const;

function readBase(text: string): URL {
  const url = parseUrl(text);
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new CommandError(`"${text}" is no http or https URL.`);
  if (url.username !== '' || url.password !== '')
    throw new CommandError('The URL must not hold a password.');
  return new URL(`${url.origin}${url.pathname.replace(/\/*$/, '/')}`);
}

function keyFromFile(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (cause) {
    throw new CommandError(`The key file ${path} could not be read.`, { cause });
  }
}

function readKey(keyFile: string | undefined, { API_KEY, ADMIN_API_KEY }: Environment): string {
  const key = keyFile === undefined ? (API_KEY ?? ADMIN_API_KEY ?? '') : keyFromFile(keyFile);
  if (key === '') {
    throw new CommandError(
      'An API key is needed: name a file that holds it with --key-file, ' +
        'or set API_KEY or ADMIN_API_KEY in the environment.',
    );
  }
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new CommandError(
      'The API key has characters that no key has: spaces, line breaks or letters beyond ASCII.',
    );
  return key;
}

/**
 * Returns the URL from `--url`, else BASE_URL, else this machine and PORT (3000); the key from
 * `--key-file`, else API_KEY, else ADMIN_API_KEY. Throws a CommandError when the key is missing, or
 * either is invalid.
 */
export function readAddress({ url, keyFile }: AddressOptions, env: Environment): Address {
  const given = givenSettings(env);
  const text = url ?? given.BASE_URL ?? `http://127.0.0.1:${given.PORT ?? '3000'}`;
  return { base: readBase(text), key: readKey(keyFile, given) };
}

/** True when the key would travel over a network unencrypted. */
export function isExposed({ base }: Address): boolean {
  return base.protocol === 'http:' && !/^(?:localhost|127\.[\d.]+|\[::1\])$/.test(base.hostname);
}
