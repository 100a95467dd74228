/** Variables of an environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the variables that are set. One that is empty, or has only white space, counts as unset:
 * files of settings and containers can leave a value out, but not always the name.
 */
export const givenSettings = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
