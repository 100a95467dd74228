import { existsSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { SetupError } from './say.mjs';

/**
 * Loads the project's `.env` if it exists. Variables that are already set keep their values.
 */
export function loadEnvFile() {
  const file = inRoot('.env');
  if (!existsSync(file)) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    throw new SetupError(`The settings file ${file} could not be read: ${error.message}`);
  }
}
