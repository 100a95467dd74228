/** The lines of errors in a log. */
export const errorsIn = (log: string): string[] =>
  log.split('\n').filter((line) => /"level":"(error|fatal)"/.test(line));
