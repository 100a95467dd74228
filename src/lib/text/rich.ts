import { escapeHtml, type Html, trusted } from './html.ts';

export type Tags = Readonly<Record<string, (inner: Html) => Html>>;

/**
 * Renders a message with marks, such as `Read the <link>guide</link>.`, as markup: `tags` has a
 * function for each. All other text is escaped. Throws for a mark that is unknown, within another,
 * or not closed, so text of people must not be a part of the message: write `<name></name>` there,
 * and let the function of `name` return it.
 */
export function rich(message: string, tags: Tags): Html {
  const parts = message.split(/<(\/?[a-zA-Z]\w*)>/);
  let markup = escapeHtml(parts[0] ?? '');
  for (let at = 1; at < parts.length; at += 4) {
    const [name = '', inner = '', end, after = ''] = parts.slice(at, at + 4);
    const render = Object.hasOwn(tags, name) ? tags[name] : undefined;
    if (render === undefined) throw new Error(`the message has an unknown mark: <${name}>`);
    if (end !== `/${name}`) throw new Error(`the message does not close <${name}>`);
    markup = trusted(markup + render(escapeHtml(inner)) + escapeHtml(after));
  }
  return markup;
}
