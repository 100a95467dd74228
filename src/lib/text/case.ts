/** Converts `created_at` to `createdAt`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Converts `createdAt` and `CreatedAt` to `created_at`. */
export const toSnakeCase = (name: string): string =>
  name.replace(/(?<=.)[A-Z]/g, '_$&').toLowerCase();

/** The text with its first letter in upper case. */
export const capitalized = (text: string): string =>
  text.replace(/^./u, (first) => first.toUpperCase());
