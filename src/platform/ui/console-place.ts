import type { Role } from '../identity/identity.ts';

/** Where the console is. */
export const consoleHome = '/api/svc/console/';

/** Whether a person with these roles gets past the front page of the console: with any of them. */
export const mayEnterConsole = (held: readonly Role[]): boolean => held.length > 0;
