/**
 * The text of a script or a style sheet of ours without its indentation, its blank lines and its
 * lines of `//` comment.
 */
export const withoutIndent = (text: string): string => text.replace(/^[ \t]*(?:\/\/.*)?\n?/gm, '');
