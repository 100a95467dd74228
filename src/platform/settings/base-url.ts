import type { Config } from '../../config.ts';

/** The public URL without a slash at the end. */
export function baseUrlOf({ HOST, PORT, BASE_URL }: Config): string {
  const host = HOST.includes(':') ? `[${HOST}]` : HOST;
  return (BASE_URL ?? `http://${host}:${PORT}`).replace(/\/$/, '');
}
