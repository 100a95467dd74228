/** Variables of an environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** What is stored is encrypted with keys that are derived from it, so that it must never change. */
const keptAsGiven = 'AUTH_SECRET';

/**
 * Returns the variables that are set. One that is empty, or has only white space, counts as unset:
 * files of settings and containers can leave a value out, but not always the name. White space
 * around a value is the end of the file or the line that it was copied from.
 */
export const givenSettings = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([, value]) => value !== undefined && value.trim() !== '')
      .map(([name, value]) => [name, name === keptAsGiven ? value : value?.trim()]),
  );
