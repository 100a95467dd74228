/** The pattern of SQL's `like` for texts that contain this one, whose wildcards are escaped. */
export const contains = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
