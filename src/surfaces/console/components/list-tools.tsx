import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Field, type FormOptions } from '../../../platform/ui/components/form.tsx';
import { Dialog } from '../../../platform/ui/components/overlay.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { texts } from '../texts/en.ts';
import { ConsoleForm } from './console-form.tsx';

/** A filter that applies. */
export interface AppliedFilter {
  /** In words: `Chip: NTAG213`. */
  text: string;
  /** The list without it. */
  href: string;
}

export interface ListToolsOptions extends Pick<FormOptions, 'values'> {
  /** The form that seals the search text, since addresses are logged. */
  action: string;
  /** What is searched: `Search name and text`. Unset: the list can't be searched. */
  search?: string | undefined;
  /** The search text that applies. */
  text?: string | undefined;
  /** The fields of the filters, behind one button. */
  filters?: Content;
  applied?: readonly AppliedFilter[];
}

const chip = ({ text, href }: AppliedFilter): Html => (
  <li>
    <a href={href}>
      {escapeHtml(text)}
      <Icon name="x" />
      <span class="visually-hidden">{escapeHtml(texts.list.removeFilter)}</span>
    </a>
  </li>
);

const filterButton = (filters: Content, count: number): Html => (
  <Dialog
    id="filters"
    title={texts.list.filters}
    open={count === 0 ? texts.list.filters : texts.list.filtersOn({ count: String(count) })}
    close={texts.list.close}
    icon="filter"
    isNear
  >
    {filters}
    <Button label={texts.list.apply} kind="primary" />
  </Dialog>
);

/** Search, filters and the filters that apply: one line before a list. */
export function ListTools(options: ListToolsOptions): Html {
  const { action, search, text, filters, applied = [], values = {} } = options;
  return (
    <>
      <ConsoleForm
        action={action}
        isInline
        values={values}
        submit={{ label: texts.list.search, icon: 'search', isIconOnly: true, kind: 'secondary' }}
        otherButtons={filters !== undefined && filterButton(filters, applied.length)}
        attributes={{ role: 'search', class: 'form form-inline list-tools' }}
      >
        {search !== undefined && (
          <Field
            id="text"
            label={search}
            type="search"
            value={text}
            isLabelHidden
            attributes={{ placeholder: search }}
          />
        )}
      </ConsoleForm>
      {applied.length > 0 && <ul class="chips">{applied.map(chip)}</ul>}
    </>
  );
}
