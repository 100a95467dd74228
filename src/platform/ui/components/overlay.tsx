import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';
import { Button, type ButtonOptions } from './button.tsx';

export interface MenuOptions {
  id: string;
  /** Of the button. */
  label: string;
  icon?: IconName;
  /** Shows the icon alone on the button. */
  isIconOnly?: boolean;
  /** What the button shows in place of label and icon, such as a person's avatar and name. */
  face?: Html;
  /** Of the button. Default: `ghost`. */
  kind?: ButtonOptions['kind'];
  /** Links, or forms with one button. */
  items: readonly Html[];
}

/** A menu that opens without JavaScript (`popover`). Escape closes it and returns the focus. */
export const Menu = ({
  id,
  label,
  icon = 'more',
  isIconOnly,
  face,
  kind = 'ghost',
  items,
}: MenuOptions): Html => (
  <div class="menu-host">
    {face === undefined ? (
      <Button
        label={label}
        icon={icon}
        type="button"
        kind={kind}
        size="small"
        isIconOnly={isIconOnly ?? false}
        attributes={{ popovertarget: id }}
      />
    ) : (
      <button class={`btn btn-${kind}`} type="button" popovertarget={id}>
        {face}
        <span class="visually-hidden">{escapeHtml(label)}</span>
        <Icon name="chevron-down" />
      </button>
    )}
    <ul class="popup-menu" id={id} popover>
      {items.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  </div>
);

export interface DialogOptions {
  id: string;
  title: string;
  /** Of the button that opens it. */
  open: string;
  close: string;
  icon?: IconName;
  /** Of the button. Default: `secondary`. */
  kind?: ButtonOptions['kind'];
  size?: 'small' | 'medium';
  /** Shows the icon alone on the button. */
  isIconOnly?: boolean;
  /** Id of what the dialog is about, which screen readers read with the button. */
  about?: string | undefined;
  /** Opens below its button where the browser can place it there, else in the middle. */
  isNear?: boolean;
  children?: Content;
}

/** A small form or question over the page. It opens without JavaScript. */
export const Dialog = ({
  id,
  title,
  open,
  close,
  icon,
  kind = 'secondary',
  size = 'medium',
  isIconOnly = false,
  about,
  isNear = false,
  children,
}: DialogOptions): Html => (
  <>
    <Button
      label={open}
      {...(icon === undefined ? {} : { icon })}
      kind={kind}
      size={size}
      isIconOnly={isIconOnly}
      type="button"
      attributes={{ popovertarget: id, 'aria-describedby': about }}
    />
    <div
      class={isNear ? 'dialog dialog-near' : 'dialog'}
      id={id}
      popover
      role="dialog"
      aria-labelledby={`${id}-title`}
    >
      <div class="overlay-head">
        <h2 id={`${id}-title`}>{escapeHtml(title)}</h2>
        <button
          class="btn btn-ghost btn-small btn-icon"
          type="button"
          popovertarget={id}
          popovertargetaction="hide"
        >
          <Icon name="x" />
          <span class="visually-hidden">{escapeHtml(close)}</span>
        </button>
      </div>
      {children}
    </div>
  </>
);

export interface DisclosureOptions {
  id?: string | undefined;
  summary: string;
  /** Default: `normal`. `primary` and `secondary` look like buttons. */
  kind?: 'normal' | 'primary' | 'secondary';
  isOpen?: boolean;
  /** Of several with the same group, one is open at a time. */
  group?: string | undefined;
  /** Id of what the summary is about, which screen readers read with it. */
  about?: string | undefined;
  children?: Content;
}

/** More of the page, opened in place by a line with an arrow. It works without JavaScript. */
export function Disclosure(options: DisclosureOptions): Html {
  const { id, summary, kind = 'normal', isOpen = false, group, about, children } = options;
  const isButton = kind === 'primary' || kind === 'secondary';
  return (
    <details id={id} class={`disclosure disclosure-${kind}`} open={isOpen} name={group}>
      <summary class={isButton ? `btn btn-${kind}` : undefined} aria-describedby={about}>
        <Icon name={isButton ? 'plus' : 'chevron-right'} />
        {escapeHtml(summary)}
      </summary>
      {children}
    </details>
  );
}

export interface CopyOptions {
  text: string;
  /** What is copied, for screen readers. */
  label: string;
}

/** Text to copy. It wraps; the script adds the button, since copying needs one. */
export const Copy = ({ text, label }: CopyOptions): Html => (
  <div class="copy-text" data-copy role="group" aria-label={label}>
    <pre tabindex="0">
      <code>{escapeHtml(text)}</code>
    </pre>
  </div>
);
