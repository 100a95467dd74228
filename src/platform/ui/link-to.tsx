import type { Html } from '../../lib/text/html.ts';

/** Returns a function that renders a mark of a message as a link, for `rich`. */
export const linkTo =
  (href: string) =>
  (inner: Html): Html => <a href={href}>{inner}</a>;
