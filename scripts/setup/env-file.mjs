import { existsSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { SetupError } from './say.mjs';

/**
 * Reads the settings in the project's `.env`, where there is one. What the environment already has
 * stays.
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
