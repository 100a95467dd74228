import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { SetupError, step } from './say.mjs';

const inputs = [
  'src',
  'docs/guides',
  'docs/changelog.md',
  'package-lock.json',
  'tsconfig.json',
  'scripts/build.mjs',
  'scripts/guides.mjs',
  'scripts/guides',
];
const stampFile = inRoot('dist', '.stamp');

/**
 * Builds dist/ if an input file was added, removed or touched since the last build.
 */
export async function ensureBuild() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === signature()) return;
  await buildNow();
}

/** Builds dist/ and records the signature of its input files. */
export async function buildNow() {
  const { build } = await import('../build.mjs');
  await step('Building', async () => {
    try {
      await build();
    } catch (error) {
      throw new SetupError(`The build failed:\n${error.message}`);
    }
  });
  writeFileSync(stampFile, signature());
}

// Names, sizes and times instead of contents: ten times as fast, and an older time counts as a
// change too.
function signature() {
  const hash = createHash('sha256');
  for (const input of inputs) addTo(hash, inRoot(input));
  return hash.digest('hex');
}

function addTo(hash, path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (!info.isDirectory()) return hash.update(`${path}\0${info.size}\0${info.mtimeMs}\n`);
  for (const name of readdirSync(path).sort()) addTo(hash, `${path}/${name}`);
}
