import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { WordForm } from '../../components/console-form.tsx';
import { FormAbout } from '../../components/form-about.tsx';
import { formPage } from '../../components/form-page.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { qrBreadcrumbs, qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { Thumbnail } from './thumbnail.tsx';

const words = texts.deletion;

/** What is lost, and what stays: codes with a short link stop working, the others don't. */
const pointsOf = (codes: readonly QrCodeView[]): readonly string[] => [
  ...(codes.some(({ dynamic }) => dynamic) ? words.points.dynamic : []),
  ...(codes.some(({ dynamic }) => !dynamic) ? words.points.static : []),
];

/** Asks before several codes are deleted: which ones, and what that means. */
export function deletePage(codes: readonly QrCodeView[]): ConsolePage {
  const title = words.title({ codes: codes.length, count: formatNumber(codes.length) });
  return formPage({
    section: 'qr',
    title,
    breadcrumbs: qrBreadcrumbs,
    about: codes.map((code) => (
      <FormAbout
        title={code.name}
        picture={<Thumbnail code={code} />}
        detail={
          code.scans === null
            ? texts.content[code.type].name
            : words.scans({ scans: code.scans, count: formatNumber(code.scans) })
        }
      />
    )),
    children: (
      <WordForm
        id="confirm"
        action={`${qrPath}/delete`}
        values={{ id: codes.map(({ id }) => id) }}
        word={texts.code.word}
        points={pointsOf(codes)}
        warning={texts.code.deleteWarning}
        submit={title}
        cancel={qrPath}
      />
    ),
  });
}
