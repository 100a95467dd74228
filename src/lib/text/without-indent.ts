/** Removes indentation, blank lines and `//` comment lines from a script or style sheet. */
export const withoutIndent = (text: string): string => text.replace(/^[ \t]*(?:\/\/.*)?\n?/gm, '');
