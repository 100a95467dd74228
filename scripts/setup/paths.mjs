import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder, with no slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** An absolute path inside the project. */
export const inRoot = (...names) => join(root, ...names);
