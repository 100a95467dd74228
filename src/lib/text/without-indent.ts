/** A script or style sheet without indentation, blank lines and `//` comment lines. */
export const withoutIndent = (text: string): string => text.replace(/^[ \t]*(?:\/\/.*)?\n?/gm, '');
