import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import { escapeHtml } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { qrBreadcrumbs, qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';

const words = texts.deletion;

/** Asks before several codes are deleted: which ones, and what that means. */
export function deletePage(codes: readonly QrCodeView[]): ConsolePage {
  const count = formatNumber(codes.length);
  return {
    section: 'qr',
    title: words.title({ codes: codes.length, count }),
    breadcrumbs: qrBreadcrumbs,
    body: (
      <Card id="deletion" title={words.lead}>
        <ul>
          {codes.map(({ name, scans }) => (
            <li>{escapeHtml(words.code({ name, scans: formatNumber(scans ?? 0) }))}</li>
          ))}
        </ul>
        <ConsoleForm
          action={`${qrPath}/delete`}
          values={{ id: codes.map(({ id }) => id) }}
          submit={{ label: words.title({ codes: codes.length, count }), kind: 'danger' }}
          cancel={qrPath}
        >
          <Field
            id="confirm"
            label={words.confirm({ word: texts.code.word })}
            isRequired
            attributes={{ pattern: texts.code.word, title: texts.code.word }}
          />
        </ConsoleForm>
      </Card>
    ),
  };
}
