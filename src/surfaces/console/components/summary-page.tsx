import { escapeHtml } from '../../../lib/text/html.ts';
import type { ButtonOptions } from '../../../platform/ui/components/button.tsx';
import { type Fact, Facts } from '../../../platform/ui/components/table.tsx';
import { ConsoleForm } from './console-form.tsx';
import { formPage, type FormPageOptions } from './form-page.tsx';
import type { ConsolePage } from '../layout.tsx';

export interface SummaryPageOptions extends Omit<FormPageOptions, 'children'> {
  /** What happens, in a sentence or two. */
  text: string;
  /** What it happens to: how many people, what is left out. */
  facts?: readonly (Fact | undefined)[];
  action: string;
  values?: Readonly<Record<string, string | readonly string[] | undefined>>;
  submit: Pick<ButtonOptions, 'label' | 'kind' | 'icon'>;
  /** Beside the button. */
  note?: string | undefined;
}

/**
 * Sums up what a button will do before it is done: for what mails people, gives or takes access, or
 * can't be reverted. A `DrawerLink` opens it. `submit.kind` is `danger` for what is lost.
 */
export const summaryPage = (options: SummaryPageOptions): ConsolePage => {
  const { text, facts = [], action, values = {}, submit, note, ...page } = options;
  const cancel = page.breadcrumbs?.at(-1)?.href;
  return formPage({
    ...page,
    children: (
      <ConsoleForm action={action} values={values} submit={submit} cancel={cancel} note={note}>
        <p>{escapeHtml(text)}</p>
        {facts.length > 0 && <Facts facts={facts} />}
      </ConsoleForm>
    ),
  });
};
