import { errorCode } from './failure.ts';

/**
 * Names for statements that come again: a server parses and plans a named one once for each
 * connection. At most `most` are named, as the server keeps them all.
 */
export function createStatementNames(max = 100) {
  const names = new Map<string, string | undefined>();
  const seen = new Set<string>();

  return {
    /** Undefined the first time, and when there are enough already. */
    of(text: string): string | undefined {
      if (names.has(text)) return names.get(text);
      if (names.size >= max) return undefined;
      if (!seen.has(text)) {
        // Texts that never come again, such as lists of other lengths, must not fill the memory.
        if (seen.size >= 10 * max) seen.clear();
        seen.add(text);
        return undefined;
      }
      const name = `s${names.size + 1}`;
      names.set(text, name);
      return name;
    },

    /** The statement has no name any more. */
    forget: (text: string): void => void names.set(text, undefined),
  };
}

/**
 * True when a named statement failed for its name: a pooler between has changed the connection
 * (26000, 42P05), or the table has changed since it was planned (0A000).
 */
export function isNameFailure(error: unknown): boolean {
  return ['26000', '42P05', '0A000'].includes(errorCode(error) ?? '');
}
