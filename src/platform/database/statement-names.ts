import { errorCode } from './failure.ts';

/**
 * Names for repeated statements. The server parses and plans a named statement once for each
 * connection. At most `max` statements get a name, because the server keeps every one.
 */
export function createStatementNames(max = 100) {
  const names = new Map<string, string | undefined>();
  const seen = new Set<string>();

  return {
    /** Returns the name of a statement; undefined the first time, and when all names are in use. */
    of(text: string): string | undefined {
      if (names.has(text)) return names.get(text);
      if (names.size >= max) return undefined;
      if (!seen.has(text)) {
        // Texts that never repeat, such as lists of varying lengths, must not fill the memory.
        if (seen.size >= 10 * max) seen.clear();
        seen.add(text);
        return undefined;
      }
      const name = `s${names.size + 1}`;
      names.set(text, name);
      return name;
    },

    /** Removes the name of a statement for good. */
    forget: (text: string): void => void names.set(text, undefined),
  };
}

/**
 * True when a statement failed because of its name: a pooler has switched the connection (26000,
 * 42P05), or the table has changed since planning (0A000).
 */
export function isNameFailure(error: unknown): boolean {
  return ['26000', '42P05', '0A000'].includes(errorCode(error) ?? '');
}
