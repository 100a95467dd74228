/**
 * The operation id of a route under the short path `/auth`, which mirrors `/api/auth`:
 * `authShort.me` for `auth.me`.
 */
export const shortPathId = (id: string): string => id.replace('.', 'Short.');
