import { dataBlock, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';

/** Something that the palette shows before it asks the server: a link, or a form to send. */
interface PalettePlace {
  name: string;
  icon: IconName;
  href: string;
  /** Other words that find it. */
  words: string;
  /** Values of a form that is posted to `href`. */
  send?: Readonly<Record<string, string>>;
}

export interface PaletteOpenerOptions {
  /** The page of the search, for browsers without JavaScript. */
  href: string;
  /** What it says, in place of a field's placeholder. */
  text: string;
}

/** What opens the palette: it looks like a search field. Without JavaScript it is a link. */
export const PaletteOpener = ({ href, text }: PaletteOpenerOptions): Html => (
  <a class="palette-opener" id="open-palette" href={href} aria-keyshortcuts="Control+K Meta+K /">
    <Icon name="search" />
    <span>{escapeHtml(text)}</span>
    <kbd aria-hidden="true">Ctrl K</kbd>
  </a>
);

export interface PaletteOptions {
  /** Name of the dialog and of its field. */
  label: string;
  placeholder: string;
  /** Name of the list. */
  list: string;
  /** What the keys do, below the list. */
  keys: { move: string; open: string; close: string };
  /** What can be found without the server, in groups. */
  groups: readonly { title: string; places: readonly PalettePlace[] }[];
  /** Where searches are posted, with the text as `q`. */
  search: string;
}

/**
 * A search over the page: a dialog with a combobox (WAI-ARIA), whose groups the script filters as
 * somebody types. It does nothing without JavaScript.
 */
export const Palette = (options: PaletteOptions): Html => {
  const { label, placeholder, list, keys, groups, search } = options;
  const input = {
    id: 'palette-input',
    type: 'text',
    role: 'combobox',
    'aria-label': label,
    'aria-expanded': 'true',
    'aria-controls': 'palette-list',
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    maxlength: 200,
    placeholder,
  };
  return (
    <>
      <dialog class="palette" id="palette" aria-label={label}>
        <div class="palette-field">
          <Icon name="search" />
          <input {...input} />
          <button class="btn btn-ghost btn-icon palette-close" type="button">
            <Icon name="x" label={keys.close} />
          </button>
        </div>
        <div class="palette-list" id="palette-list" role="listbox" aria-label={list}></div>
        <p class="palette-keys" aria-hidden="true">
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> {escapeHtml(keys.move)}
          </span>
          <span>
            <kbd>↵</kbd> {escapeHtml(keys.open)}
          </span>
          <span>
            <kbd>Esc</kbd> {escapeHtml(keys.close)}
          </span>
        </p>
      </dialog>
      {dataBlock('application/json', { groups, search })}
    </>
  );
};
