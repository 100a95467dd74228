import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const browsers = ['chromium', 'chromium-browser', 'google-chrome'];
// It needs less CPU time than the whole browser, but has no back/forward cache.
const headlessShell = 'chromium-headless-shell';

/**
 * The path of a Chromium, which `npm test` installs where possible; undefined without one. Use it
 * with `describe.skipIf`. It is the headless shell if there is one, except with `isWhole`.
 */
export function findChromium({ isWhole = false } = {}): string | undefined {
  const names = isWhole ? browsers : [headlessShell, ...browsers];
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
