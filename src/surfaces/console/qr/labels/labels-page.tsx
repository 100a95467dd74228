import type { QrBatchView } from '../../../../areas/qr/batches/schemas.ts';
import { escapeHtml } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { SelectField } from '../../../../platform/ui/components/form.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { fileName } from '../files/file-values.tsx';
import { qrBreadcrumbs, qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { labelForm } from './label-form.tsx';

const words = texts.labels;

/** Prints labels: of the newest codes, or of those from a file. */
export const labelsPage = (files: readonly QrBatchView[]): ConsolePage => ({
  section: 'qr',
  title: words.title,
  breadcrumbs: qrBreadcrumbs,
  body: (
    <section class="tile" aria-label={words.title}>
      <p safe>{words.lead}</p>
      {labelForm({
        values: {},
        children: (
          <SelectField
            id="batch_id"
            label={words.codes}
            options={[
              ['', words.newest],
              ...files.map((file) => [file.id, words.fromFile({ name: fileName(file) })] as const),
            ]}
          />
        ),
      })}
      <p class="hint">{escapeHtml(words.hint)}</p>
      <p>
        <Button label={words.choose} href={qrPath} />
      </p>
    </section>
  ),
});
