import type { Release } from '../areas/health/views.ts';
import type { Config } from '../config.ts';

/** Version of the service and of its API description. */
export const version = '0.1.0';

/** Returns the version, build id and replica id. */
export const releaseOf = (config: Config): Release => ({
  version,
  releaseId: config.RELEASE_ID,
  replica: config.REPLICA_ID,
});
