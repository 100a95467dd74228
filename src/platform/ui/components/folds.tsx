import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Field } from './form.tsx';
import { Icon } from '../icon.tsx';

export interface FoldOptions {
  /** Of its contents: a link to it, or to something inside, opens the fold. */
  id: string;
  title: string;
  level: 2 | 3 | 4;
  /** What the part is about. */
  lead?: Html;
  /** Such as `12 operations`. */
  count: string;
  isOpen?: boolean;
  children?: Content;
}

function heading({ title, level }: FoldOptions): Html {
  if (level === 2) return <h2 safe>{title}</h2>;
  return level === 3 ? <h3 safe>{title}</h3> : <h4 safe>{title}</h4>;
}

/** A part of a long page, folded. It opens without JavaScript. */
export const Fold = (options: FoldOptions): Html => {
  const { id, lead, count, isOpen = false, children } = options;
  return (
    <details class="fold" open={isOpen}>
      <summary>
        {heading(options)}
        {lead && <span class="fold-lead">{lead}</span>}
        <span class="fold-count">{escapeHtml(count)}</span>
        <Icon name="chevron-down" />
      </summary>
      <div class="fold-body" id={id}>
        {children}
      </div>
    </details>
  );
};

/** The field that hides the lines of folds without the typed words. The script shows it. */
export const foldFilter = ({ label, found }: { label: string; found: string }): Html => (
  <div id="fold-filter-box" hidden>
    <Field
      id="fold-filter"
      type="search"
      label={label}
      attributes={{ autocomplete: 'off', spellcheck: 'false' }}
    />
    <p class="hint" role="status" id="fold-filter-count" data-what={found}></p>
  </div>
);
