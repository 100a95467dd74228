/** Returns the operation id for the short path `/auth`: `authShort.me` for `auth.me`. */
export const shortPathId = (id: string): string => id.replace('.', 'Short.');
