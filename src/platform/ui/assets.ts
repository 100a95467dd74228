import { readFile, readdir } from 'node:fs/promises';
import { z } from 'zod';

/** The files of pages, as the build's manifest names them. */
const names = [
  'account.css',
  'account.js',
  'chart.css',
  'chart.js',
  'console.css',
  'console.js',
  'contact.js',
  'developer.css',
  'developer.js',
  'devices.js',
  'flags.json',
  'folds.css',
  'fragment.js',
  'graphiql.css',
  'home.css',
  'icon.svg',
  'icons.svg',
  'latin.woff2',
  'inter.woff2',
  'marks.json',
  'outbox.css',
  'pages.css',
  'pages.js',
  'passkeys.js',
  'reference.css',
  'reference.js',
  'share.css',
  'site.css',
  'status.css',
  'status.js',
  'voyager.css',
  'world.svg',
] as const;

type AssetName = (typeof names)[number];
export type StyleName = Extract<AssetName, `${string}.css`>;
export type ScriptName = Extract<AssetName, `${string}.js`>;

export interface AssetFile {
  name: AssetName;
  /** Its URL, with a hash of the content. */
  path: string;
  content: Buffer;
}

export interface Assets {
  /** The URL of a file. */
  path: (name: AssetName) => string;
  files: readonly AssetFile[];
  /** What scripts load on demand, by the name of the file, which has a hash of the content. */
  parts: ReadonlyMap<string, Buffer>;
}

const Manifest = z.record(z.enum(names), z.string().regex(/^[\w.-]+$/));

/**
 * Reads the files of pages that the build has made, so that a later build does not take them from a
 * running service. Rejects with a readable error when one is missing.
 */
export async function loadAssets(folder: URL): Promise<Assets> {
  const read = (file: string) => readFile(new URL(file, folder));
  try {
    const manifest = Manifest.parse(JSON.parse((await read('manifest.json')).toString()));
    const path = (name: AssetName) => `/assets/${manifest[name]}`;
    const files = await Promise.all(
      names.map(async (name) => ({ name, path: path(name), content: await read(manifest[name]) })),
    );
    const parts = await readdir(new URL('parts/', folder));
    const contents = parts.map(async (name) => [name, await read(`parts/${name}`)] as const);
    return { path, files, parts: new Map(await Promise.all(contents)) };
  } catch (error) {
    throw new Error(`The files of pages are not in ${folder.href}: run npm run build.`, {
      cause: error,
    });
  }
}
