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
  lead: escapeHtml(words.lead),
  actions: <Button label={words.choose} href={qrPath} />,
  body: (
    <section class="tile labels-tile" aria-label={words.title}>
      {labelForm({
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
    </section>
  ),
});
