import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { readableUrl } from '../../../../lib/net/readable-url.ts';
import { type Content, escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { ConsoleForm, WordForm } from '../../components/console-form.tsx';
import { FormAbout } from '../../components/form-about.tsx';
import { formPage } from '../../components/form-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { labelsOfCode } from '../labels/label-form.tsx';
import { Thumbnail } from '../list/thumbnail.tsx';
import { codeFormPath, codePath, qrBreadcrumbs } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';

const words = texts.code;

/** Which code a form is about. */
const aboutCode = (code: QrCodeView): Html => (
  <FormAbout
    title={code.name}
    picture={<Thumbnail code={code} />}
    detail={code.short_url === null ? texts.content[code.type].name : readableUrl(code.short_url)}
    facts={[
      code.url === null
        ? undefined
        : { name: words.target, value: escapeHtml(readableUrl(code.url)) },
      code.scans === null
        ? undefined
        : { name: words.aboutCode.scans, value: escapeHtml(formatNumber(code.scans)) },
      { name: words.aboutCode.created, value: <Time at={code.created_at} /> },
    ]}
  />
);

/** A page with one form about a code, which opens in a drawer. `more` follows what it is about. */
export const codeFormPage = (
  code: QrCodeView,
  title: string,
  children: Content,
  more?: Content,
): ConsolePage =>
  formPage({
    section: 'qr',
    title,
    breadcrumbs: [...qrBreadcrumbs, { href: codePath(code.id), text: code.name }],
    about: [aboutCode(code), more],
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
      <Field
        id="rename-name"
        name="name"
        label={words.name}
        hint={texts.create.nameHint}
        value={code.name}
        isRequired
      />
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
      points={code.dynamic ? words.deletePoints.dynamic : words.deletePoints.static}
      warning={words.deleteWarning}
      submit={words.delete}
      cancel={codePath(code.id)}
    />,
  );

/** A sheet of labels that all have this code. */
export const codeLabelsPage = (code: QrCodeView): ConsolePage =>
  codeFormPage(code, texts.labels.title, labelsOfCode(code.id));
