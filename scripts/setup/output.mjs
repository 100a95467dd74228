import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { SetupError, step } from './say.mjs';

const buildScripts = ['scripts/build.mjs', 'scripts/build', 'tsconfig.json', 'package-lock.json'];
const nodeCode = [
  'src/app',
  'src/areas',
  'src/commands',
  'src/lib',
  'src/platform',
  'src/surfaces',
];
const entries = ['src/main.ts', 'src/server.ts', 'src/config.ts'];

/** What each part of the product is made from: files and folders. */
const inputs = {
  service: [...nodeCode, ...entries, ...buildScripts],
  worker: ['src/areas/analytics', 'src/areas/qr', 'src/lib', 'src/platform', ...buildScripts],
  assets: [
    'src/web',
    'src/lib',
    'src/platform/ui/icons.json',
    'src/platform/ui/marks.json',
    ...buildScripts,
  ],
  pageScripts: ['src/web', 'src/lib', ...buildScripts],
  tracker: ['src/web', 'src/lib', ...buildScripts],
  graphqlPages: ['src/web/graphql', ...buildScripts],
  guides: ['docs/guides', 'docs/changelog.md', 'scripts/guides.mjs', 'scripts/guides'],
  packages: buildScripts,
  devService: [...nodeCode, ...entries, ...buildScripts],
};

/** What `npm start` needs. */
export const allParts = Object.keys(inputs).filter(
  (part) => part !== 'packages' && part !== 'devService',
);

/**
 * Builds those of the parts that are missing in `outdir`, or whose inputs were added, removed or
 * touched since they were built. Returns whether there were any.
 */
export async function ensureBuild(parts = allParts, outdir = 'dist') {
  const built = readStamps(outdir);
  const stale = parts.filter((part) => built[part] !== signature(inputs[part]));
  if (stale.length > 0) await buildParts(stale, outdir);
  return stale.length > 0;
}

/** Builds all of dist/. */
export const buildNow = () => buildParts(allParts, 'dist');

async function buildParts(parts, outdir) {
  const stamps = Object.fromEntries(parts.map((part) => [part, signature(inputs[part])]));
  const { build } = await import('../build.mjs');
  await step('Building', async () => {
    try {
      await build(parts, outdir);
    } catch (error) {
      throw new SetupError(`The build failed:\n${error.message}`);
    }
  });
  mkdirSync(inRoot(outdir), { recursive: true });
  writeFileSync(stampFile(outdir), JSON.stringify({ ...readStamps(outdir), ...stamps }));
}

const stampFile = (outdir) => inRoot(outdir, '.stamps.json');

function readStamps(outdir) {
  try {
    return JSON.parse(readFileSync(stampFile(outdir), 'utf8'));
  } catch {
    return {};
  }
}

// Names, sizes and times instead of contents: a tenth of the time, and an older time counts as a
// change too.
function signature(paths) {
  const hash = createHash('sha256');
  for (const path of paths) addTo(hash, inRoot(path));
  return hash.digest('hex');
}

function addTo(hash, path) {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return;
  if (!info.isDirectory()) return hash.update(`${path}\0${info.size}\0${info.mtimeMs}\n`);
  for (const name of readdirSync(path).sort()) addTo(hash, `${path}/${name}`);
}
