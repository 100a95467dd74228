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
  /**
   * The page that has the card of this id with its content, which the console fetches when the card
   * comes near the screen. What is here until then leads to that page.
   */
  late?: string | undefined;
  children?: Content;
}

/** A part of a page with a heading. */
export const Card = ({
  id,
  title,
  hint,
  actions,
  isLive = false,
  late,
  children,
}: CardOptions): Html => (
  <section class="tile" id={id} aria-labelledby={`${id}-title`} data-live={isLive} data-late={late}>
    <div class="tile-head">
      <h2 id={`${id}-title`}>{escapeHtml(title)}</h2>
      {actions !== undefined && <div class="btn-row">{actions}</div>}
    </div>
    {hint !== undefined && <p class="hint">{escapeHtml(hint)}</p>}
    {children}
  </section>
);
