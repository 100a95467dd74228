import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import type { Content } from '../../../../lib/text/html.ts';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm, WordForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { labelsOfCode } from '../labels/label-form.tsx';
import { codeFormPath, codePath, qrBreadcrumbs } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';

const words = texts.code;

/** A page with one form about a code, which opens in a drawer. */
export const codeFormPage = (
  { id, name }: QrCodeView,
  title: string,
  children: Content,
): ConsolePage =>
  formPage({
    section: 'qr',
    title,
    breadcrumbs: [...qrBreadcrumbs, { href: codePath(id), text: name }],
    children,
  });

/** Changes the name, which people don't see. */
export const renamePage = (code: QrCodeView): ConsolePage =>
  codeFormPage(
    code,
    words.rename,
    <ConsoleForm
      action={codeFormPath(code.id, 'name')}
      submit={{ label: words.saveName }}
      cancel={codePath(code.id)}
    >
      <Field id="rename-name" name="name" label={words.name} value={code.name} isRequired />
    </ConsoleForm>,
  );

/** Deletes a code after a word was typed. */
export const deleteCodePage = (code: QrCodeView): ConsolePage =>
  codeFormPage(
    code,
    words.delete,
    <WordForm
      id="confirm-delete"
      action={codeFormPath(code.id, 'delete')}
      word={words.word}
      warning={words.deleteWarning}
      submit={words.delete}
      cancel={codePath(code.id)}
    />,
  );

/** A sheet of labels that all have this code. */
export const codeLabelsPage = (code: QrCodeView): ConsolePage =>
  codeFormPage(code, texts.labels.title, labelsOfCode(code.id));
