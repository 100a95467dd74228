import type { Config } from '../../config.ts';

/** Returns the public URL without a trailing slash. */
export function baseUrlOf({ HOST, PORT, BASE_URL }: Config): string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return (BASE_URL ?? `http://${host}:${PORT}`).replace(/\/$/, '');
}
