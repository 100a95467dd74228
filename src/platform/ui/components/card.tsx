import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';

export interface CardOptions {
  /** Also prefixes the id of the heading. */
  id: string;
  title: string;
  hint?: string | undefined;
  /** Links and buttons beside the heading. */
  actions?: Content;
  /** The console replaces the card when its content has changed. */
  isLive?: boolean;
  children?: Content;
}

/** A part of a page with a heading. */
export const Card = ({ id, title, hint, actions, isLive = false, children }: CardOptions): Html => (
  <section class="tile" id={id} aria-labelledby={`${id}-title`} data-live={isLive}>
    <div class="tile-head">
      <h2 id={`${id}-title`}>{escapeHtml(title)}</h2>
      {actions !== undefined && <div class="btn-row">{actions}</div>}
    </div>
    {hint !== undefined && <p class="hint">{escapeHtml(hint)}</p>}
    {children}
  </section>
);
