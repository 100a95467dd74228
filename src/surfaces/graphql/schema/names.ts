/** Converts `created_at` (REST API) to `createdAt` (GraphQL). */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** Converts `createdAt` (GraphQL) to `created_at` (REST API). */
export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
