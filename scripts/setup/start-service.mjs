import module from 'node:module';
import { loadEnvFile } from './env-file.mjs';
import { ensureBuild } from './output.mjs';
import { ensurePackages } from './packages.mjs';
import { inRoot } from './paths.mjs';
import { ensureRedis } from './programs.mjs';
import { main } from './say.mjs';

await main(async () => {
  loadEnvFile();
  await ensurePackages();
  await ensureBuild();
  if (!process.env.REDIS_URL) await ensureRedis();
});

// Node 22 and newer cache the compiled code, which saves about 50 ms per start.
module.enableCompileCache?.(inRoot('node_modules', '.cache', 'compiled'));
// In this process, so that signals reach the service and no second Node has to start.
await import('../../dist/server.js');
