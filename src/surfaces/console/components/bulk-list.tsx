import type { Content, Html } from '../../../lib/text/html.ts';
import { escapeHtml } from '../../../lib/text/html.ts';
import { hiddenValues } from '../../../platform/ui/components/form.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { texts } from '../texts/en.ts';

export interface BulkListOptions {
  /** Of the form that the bar is. The checkboxes of rows name it: `RowCheck`. */
  id: string;
  /** Where the chosen rows are sent, unless a button has a `formaction`. */
  action: string;
  /** Hidden values that are sent too. */
  values?: Readonly<Record<string, string | undefined>>;
  /** Buttons for the chosen rows. The red one is never the first. */
  actions: Content;
  /** A table whose first column has a `RowCheck`. */
  children: Content;
}

/**
 * A list whose rows can be ticked, with a bar that is there while some are: how many, what can be
 * done with them, and a way to let go of them. The bar is a form of its own after the list, so that
 * rows may have forms too. It works without JavaScript, which only adds the count.
 */
export const BulkList = ({ id, action, values = {}, actions, children }: BulkListOptions): Html => (
  <div class="bulk-list">
    {children}
    <form class="bulk-bar" id={id} method="post" action={action} data-send>
      {hiddenValues(values)}
      <span class="ticked" role="status"></span>
      <div class="btn-row">{actions}</div>
      <button class="btn btn-ghost btn-small btn-icon" type="reset">
        <Icon name="x" />
        <span class="visually-hidden">{escapeHtml(texts.list.clearSelection)}</span>
      </button>
    </form>
  </div>
);

export interface RowCheckOptions {
  /** The id of the `BulkList`. */
  list: string;
  /** The field: `user[]`. */
  name: string;
  value: string;
  /** For screen readers: `Select Ada Moreau`. */
  label?: string;
  /** Id of what names the row, in place of a label. */
  labelledBy?: string;
}

/** The checkbox of a row. It stands first in the row's first cell. */
export const RowCheck = ({ list, name, value, label, labelledBy }: RowCheckOptions): Html => (
  <input
    class="row-check"
    type="checkbox"
    form={list}
    name={name}
    value={value}
    aria-label={label}
    aria-labelledby={labelledBy}
  />
);
