import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildAssets } from './build/assets.mjs';
import {
  devOptions,
  graphiqlOptions,
  packageOptions,
  pageScriptOptions,
  serviceOptions,
  trackerOptions,
  workerOptions,
} from './build/options.mjs';
import { buildPackages } from './build/packages.mjs';
import { buildGuides } from './guides.mjs';
import { buildNow } from './setup/output.mjs';
import { inRoot } from './setup/paths.mjs';
import { main } from './setup/say.mjs';

const dayMs = 86_400_000;

/**
 * Chunks of earlier builds stay for a day: a service that was started from them may still need one.
 */
function removeOldChunks(outdir) {
  const chunks = readdirSync(inRoot(outdir))
    .filter((file) => file.startsWith('part-'))
    .map((file) => inRoot(outdir, file));
  for (const chunk of chunks.filter((each) => statSync(each).mtimeMs < Date.now() - dayMs))
    rmSync(chunk);
  // What V8 compiled of them: see src/platform/process/compile-cache.ts.
  rmSync(inRoot(outdir, 'compile-cache'), { recursive: true, force: true });
}

/** GraphiQL is bundled; Voyager comes as files for browsers. */
async function buildGraphqlPages(esbuild, outdir) {
  mkdirSync(inRoot(outdir, 'web'), { recursive: true });
  const from = inRoot('node_modules', 'graphql-voyager', 'dist');
  // Most systems have no glyph for the satellite in its footer.
  const script = readFileSync(`${from}/voyager.standalone.js`, 'utf8').replace('🛰 ', '');
  writeFileSync(inRoot(outdir, 'web', 'voyager.standalone.js'), script);
  copyFileSync(`${from}/voyager.css`, inRoot(outdir, 'web', 'voyager.standalone.css'));
  await esbuild.build(graphiqlOptions(outdir));
}

const builders = {
  service: async (esbuild, outdir) => {
    await esbuild.build(serviceOptions(outdir));
    removeOldChunks(outdir);
  },
  worker: (esbuild, outdir) => esbuild.build(workerOptions(outdir)),
  assets: buildAssets,
  pageScripts: (esbuild, outdir) => esbuild.build(pageScriptOptions(outdir)),
  tracker: async (esbuild, outdir) => {
    await esbuild.build(trackerOptions(outdir));
    copyFileSync(inRoot('src', 'web', 'tracker', 'svc.d.ts'), inRoot(outdir, 'web', 'svc.d.ts'));
  },
  graphqlPages: buildGraphqlPages,
  guides: (_esbuild, outdir) => buildGuides(outdir),
  packages: (esbuild, outdir) => buildPackages(esbuild, outdir, packageOptions),
  devService: (esbuild, outdir) => esbuild.build(devOptions(outdir)),
};

/**
 * Writes these parts of the product (names of `output.mjs`) to `outdir`, a folder of the project.
 * Throws an Error with one line for each mistake.
 */
export async function build(parts, outdir) {
  const esbuild = await import('esbuild');
  try {
    await Promise.all(parts.map((part) => builders[part](esbuild, outdir)));
  } catch (error) {
    throw new Error(describe(error), { cause: error });
  } finally {
    // Its process would live as long as the service that is started after a build.
    await esbuild.stop();
  }
}

function describe(error) {
  const lines = (error.errors ?? []).map(({ text, location }) =>
    location ? `${location.file}:${location.line}: ${text}` : text,
  );
  return lines.join('\n') || error.message;
}

// Not awaited: buildNow imports this file and would wait for its end.
if (process.argv[1] === fileURLToPath(import.meta.url)) void main(buildNow);
