/** A name of the REST API as GraphQL writes it: `created_at` is `createdAt`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());

/** A name of GraphQL as the REST API writes it: `createdAt` is `created_at`. */
export const toSnakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
