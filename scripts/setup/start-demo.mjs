import module from 'node:module';
import { ensureBuild } from './output.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot } from './paths.mjs';
import { ensureRedis } from './programs.mjs';
import { main } from './say.mjs';

// No .env: it may name stores and secrets of something real, and the demo has its own of
// everything.
await main(async () => {
  await ensurePackages();
  await ensureBuild();
  await ensureRedis();
});

module.enableCompileCache?.(inRoot('node_modules', '.cache', 'compiled'));
// As src/platform/process/traces.ts: a map is read with the file that it belongs to.
process.setSourceMapsEnabled(true);
await import('../../dist/demo.js');
