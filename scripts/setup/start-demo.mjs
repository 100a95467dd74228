import module from 'node:module';
import { ensureBuild } from './output.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot } from './paths.mjs';
import { ensureRedis } from './programs.mjs';
import { main } from './say.mjs';

// Without .env, which may name real stores and secrets: the demo has its own.
await main(async () => {
  await ensurePackages();
  await ensureBuild();
  await ensureRedis();
});

module.enableCompileCache?.(inRoot('node_modules', '.cache', 'compiled'));
// As in src/platform/process/traces.ts: a source map is read together with its file.
process.setSourceMapsEnabled(true);
await import('../../dist/demo.js');
