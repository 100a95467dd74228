import { existsSync } from 'node:fs';
import { loadEnvFile } from './setup/env-file.mjs';
import { requireNode } from './setup/node-version.mjs';
import { ensureBuild } from './setup/output.mjs';
import { ensurePackages } from './setup/packages.mjs';
import { inRoot } from './setup/paths.mjs';
import { SetupError, main } from './setup/say.mjs';

// `node scripts/run.mjs export --site x` runs src/commands/export.ts with `--site x` as its
// arguments.
requireNode(20, 19);
const [name = ''] = process.argv.splice(2, 1);
const bundle = inRoot('dist', `${name}.js`);
await main(async () => {
  loadEnvFile();
  await ensurePackages();
  await ensureBuild();
  if (!/^[a-z-]+$/.test(name) || !existsSync(bundle))
    throw new SetupError(`There is no command "${name}" in src/commands.`);
});
process.argv[1] = bundle;
// As in src/platform/process/traces.ts: a source map is read together with its file.
process.setSourceMapsEnabled(true);
await import(bundle);
