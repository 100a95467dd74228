import type { Attributes, Html } from '../../../lib/text/html.ts';
import { escapeHtml } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../icon.tsx';

export interface ButtonOptions {
  /** A verb and a noun: `Create key`. */
  label: string;
  /** One `primary` button a view. Default: `secondary`. */
  kind?: 'primary' | 'secondary' | 'ghost' | 'danger';
  /** `small` in rows of tables, `large` on sign-in pages. */
  size?: 'small' | 'medium' | 'large';
  icon?: IconName;
  /** Shows the icon alone; the label is its name for screen readers. */
  isIconOnly?: boolean;
  /** A link that looks like a button. */
  href?: string;
  type?: 'submit' | 'button';
  isDisabled?: boolean;
  /** While the request is in progress: the button keeps its width and refuses more clicks. */
  isBusy?: boolean;
  /** Who sees it, by a class that the sheet of the theme shows: in the header of cached pages. */
  audience?: 'when-out' | 'when-in' | 'when-console';
  attributes?: Attributes;
}

/** A button, or a link for `href`. Without JavaScript a submit button sends its form. */
export function Button(options: ButtonOptions): Html {
  const { label, kind = 'secondary', size = 'medium', icon, isIconOnly = false } = options;
  const { href, type = 'submit', isDisabled = false, isBusy = false, attributes } = options;
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {isIconOnly ? <span class="visually-hidden">{escapeHtml(label)}</span> : escapeHtml(label)}
    </>
  );
  const { audience } = options;
  const extra = `${isIconOnly ? ' btn-icon' : ''}${audience === undefined ? '' : ` ${audience}`}`;
  const look = `btn btn-${kind} btn-${size}${extra}`;
  if (href !== undefined)
    return (
      <a class={look} href={href} {...attributes}>
        {content}
      </a>
    );
  const busy = isBusy ? 'true' : undefined;
  return (
    <button class={look} type={type} disabled={isDisabled} aria-busy={busy} {...attributes}>
      {content}
    </button>
  );
}
