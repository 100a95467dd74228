import type { Html } from '../../lib/text/html.ts';

/** Renders a mark of a message as code, for `rich`. */
export const inlineCode = (inner: Html): Html => <code>{inner}</code>;

/** Returns a function that renders a mark of a message as a link, for `rich`. */
export const linkTo =
  (href: string) =>
  (inner: Html): Html => <a href={href}>{inner}</a>;
