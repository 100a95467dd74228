import { type Attributes, type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';

export interface SplitFormOptions {
  /** Where the form is sent. */
  action: string;
  /** What stays in view while the fields scroll: a preview and the button. */
  side: Content;
  /** The name of the side, for screen readers. */
  sideLabel: string;
  attributes?: Attributes;
  children?: Content;
}

/**
 * A form of two columns: fields on the left, and beside them what they make, which stays in view.
 * On narrow screens the side comes after the fields.
 */
export const SplitForm = ({
  action,
  side,
  sideLabel,
  attributes,
  children,
}: SplitFormOptions): Html => (
  <form class="split" method="post" action={action} {...attributes}>
    <div class="split-main">{children}</div>
    <div class="split-side" role="group" aria-label={sideLabel}>
      {side}
    </div>
  </form>
);

export interface PreviewOptions {
  id: string;
  /** URL of the picture, such as a `data:` URL. Undefined: nothing can be drawn. */
  picture: string | undefined;
  /** What the picture is, for those who do not see it. */
  alt: string;
  /** Whether it only shows what the real one will be like. */
  isSample?: boolean;
  /** What is said of the picture. */
  verdict: string;
  tone: 'ok' | 'bad' | 'neutral';
  /** Further lines. */
  children?: Content;
}

/**
 * A picture of what a form makes, with a verdict on it. The script draws it anew while people
 * type; without a script a button does.
 */
export const Preview = (options: PreviewOptions): Html => {
  const { id, picture, alt, isSample = false, verdict, tone, children } = options;
  return (
    <div class="preview" id={id}>
      <div class={isSample ? 'preview-paper preview-sample' : 'preview-paper'}>
        {picture !== undefined && <img src={picture} alt={alt} width="280" height="280" />}
      </div>
      <p class={`verdict verdict-${tone}`} role="status">
        {escapeHtml(verdict)}
      </p>
      {children}
    </div>
  );
};
