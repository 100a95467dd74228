import type { ConfigMistake } from '../../config.ts';
import type { Environment } from './given-settings.ts';

/** New names of settings, by their old ones, which work until the next version. */
const newNames: Readonly<Record<string, string>> = {
  QUESTION_DEADLINE_SECONDS: 'QUERY_TIMEOUT_SECONDS',
};

/** The settings under their new names. Where both names are set, the new one counts. */
export const withNewNames = (given: Environment): Environment => ({
  ...Object.fromEntries(
    Object.entries(given).map(([name, value]) => [newNames[name] ?? name, value]),
  ),
  ...given,
});

/** A warning for each setting that still has its old name. */
export const renamedSettings = (given: Environment): ConfigMistake[] =>
  Object.entries(newNames)
    .filter(([old]) => given[old] !== undefined)
    .map(([old, name]) => ({
      variable: old,
      message: `is now ${name}. The old name stops working in the next version: rename it.`,
    }));
