import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Field, type FormOptions, hiddenValues } from '../../../platform/ui/components/form.tsx';
import { Dialog, Menu } from '../../../platform/ui/components/overlay.tsx';
import { Icon } from '../../../platform/ui/icon.tsx';
import { texts } from '../texts/en.ts';

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
  /** The list without the search text, for the × in the field. */
  clear?: string | undefined;
  /** The fields of the filters, behind one button. */
  filters?: Content;
  applied?: readonly AppliedFilter[];
  /** Links behind `…`, at the end of the line: import, export and what else is done rarely. */
  more?: readonly Html[];
  /** The one primary button of the list, at the end of the line. */
  primary?: Html | undefined;
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

const searchField = (search: string, { text, clear }: ListToolsOptions): Html => (
  <div class="search-box">
    <Button label={texts.list.search} icon="search" isIconOnly kind="ghost" size="small" />
    <Field
      id="text"
      label={search}
      type="search"
      value={text}
      isLabelHidden
      attributes={{ placeholder: search }}
    />
    {text !== undefined && clear !== undefined && (
      <Button
        label={texts.list.clearSearch}
        icon="x"
        isIconOnly
        kind="ghost"
        size="small"
        href={clear}
      />
    )}
  </div>
);

const searchForm = (options: ListToolsOptions): Html => {
  const { action, search, filters, applied = [], values = {} } = options;
  return (
    <form
      class="form form-inline list-tools"
      method="post"
      action={action}
      role="search"
      aria-label={search}
      data-send
    >
      {hiddenValues(values)}
      {search !== undefined && searchField(search, options)}
      {filters !== undefined && filterButton(filters, applied.length)}
    </form>
  );
};

/** The links behind `…`, for pages whose list is still empty too. */
export const listMenu = (more: readonly Html[]): Html => (
  <Menu id="list-menu" label={texts.list.more} kind="secondary" isIconOnly items={more} />
);

/**
 * One line before a list: search, filters, what is done rarely, and the one primary button. Below
 * it the filters that apply.
 */
export function ListTools(options: ListToolsOptions): Html {
  const { applied = [], more = [], primary } = options;
  const hasActions = more.length > 0 || primary !== undefined;
  return (
    <>
      <div class="list-bar">
        {searchForm(options)}
        {hasActions && (
          <div class="btn-row">
            {more.length > 0 && listMenu(more)}
            {primary}
          </div>
        )}
      </div>
      {applied.length > 0 && <ul class="chips">{applied.map(chip)}</ul>}
    </>
  );
}
