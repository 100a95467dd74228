import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

/** A script of the browser build. */
export interface WebScript {
  text: string;
  /** A hash of the text. A URL with `?v=` and this hash may be cached indefinitely. */
  version: string;
  /** Value of the script tag's `integrity` attribute (Subresource Integrity). */
  integrity: string;
}

/** Reads a script of the build. Rejects with a readable error when it is missing. */
export async function loadWebScript(folder: URL, name: string): Promise<WebScript> {
  try {
    const text = await readFile(new URL(name, folder), 'utf8');
    const digest = (algorithm: string, encoding: 'base64' | 'base64url') =>
      createHash(algorithm).update(text).digest(encoding);
    return {
      text,
      version: digest('sha256', 'base64url').slice(0, 12),
      integrity: `sha384-${digest('sha384', 'base64')}`,
    };
  } catch (error) {
    throw new Error(`The script ${name} is not in ${folder.href}: run npm run build.`, {
      cause: error,
    });
  }
}
