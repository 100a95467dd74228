import type { QrBatchView } from '../../../../areas/qr/batches/schemas.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, Facts, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import { withQuery } from '../../components/navigation.tsx';
import { doneNotice } from '../../components/notices.tsx';
import { OptionalTime } from '../../components/optional-time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { labelsOfFile } from '../labels/label-form.tsx';
import { qrBreadcrumbs, qrPath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { filePath, filesPath } from './file-paths.ts';
import {
  fileName,
  fileProgress,
  FileStatus,
  type Uploaders,
  uploaderLabel,
} from './file-values.tsx';
import { liveSeconds } from './files-page.tsx';

export interface FileView extends Uploaders {
  file: QrBatchView;
  done: string | undefined;
}

const words = texts.file;
const { columns } = texts.files;
const formats = ['svg', 'png'] as const;

function details({ file, ...uploaders }: FileView): Html {
  const { created_at: created, finished_at: finished } = file;
  return (
    <Card id="details" title={words.details} isLive>
      <Facts
        facts={[
          { name: columns.status, value: <FileStatus status={file.status} /> },
          { name: columns.progress, value: escapeHtml(fileProgress(file)) },
          { name: columns.failed, value: escapeHtml(formatNumber(file.failed)) },
          { name: columns.by, value: uploaderLabel(file, uploaders) },
          { name: columns.created, value: <Time at={created} /> },
          { name: words.finished, value: <OptionalTime at={finished} none={words.running} /> },
        ]}
      />
    </Card>
  );
}

type Failure = QrBatchView['errors'][number];

const failureColumns: readonly Column<Failure>[] = [
  { title: words.line, text: ({ line }) => String(line) },
  { title: words.reason, text: ({ detail }) => detail },
];

function failures({ failed, errors }: QrBatchView): Html {
  const isPart = errors.length < failed;
  const shown = { shown: formatNumber(errors.length), failed: formatNumber(failed) };
  return (
    <Card
      id="failures"
      title={words.failures}
      hint={isPart ? words.failuresHint(shown) : undefined}
      isLive
    >
      <Table
        caption={words.caption}
        columns={failureColumns}
        rows={errors}
        rowId={({ line }) => `line-${line}`}
        empty={<EmptyState icon="success" text={words.noFailures} />}
      />
    </Card>
  );
}

const zips = ({ id }: QrBatchView): Html => (
  <div class="btn-row">
    {formats.map((format) => (
      <Button
        label={words.download[format]}
        icon="download"
        href={withQuery(`${filePath(id)}/images`, { format })}
      />
    ))}
  </div>
);

/** What can be downloaded, once all codes are created. */
function downloads(file: QrBatchView): Html {
  const { status, total, failed } = file;
  const text = status === 'running' ? words.wait : words.noCodes;
  const hasCodes = status === 'done' && failed < total;
  return (
    <div id="downloads" data-live>
      <Card id="pictures" title={words.downloads} hint={words.downloadsHint}>
        {hasCodes ? zips(file) : <EmptyState icon="qr" text={text} />}
      </Card>
      {hasCodes && labelsOfFile({ id: file.id, codes: total - failed })}
    </div>
  );
}

/** A file of codes: how far it is, which rows failed, and its pictures and labels. */
export function filePage(view: FileView): ConsolePage {
  const { file, done } = view;
  return {
    section: 'qr',
    title: fileName(file),
    breadcrumbs: [...qrBreadcrumbs, { href: filesPath, text: texts.files.title }],
    notice: doneNotice(texts.files.notices, done),
    actions: <Button label={words.codes} href={withQuery(qrPath, { batch_id: file.id })} />,
    ...(file.status === 'running' ? { every: liveSeconds } : {}),
    body: (
      <>
        {details(view)}
        {downloads(file)}
        {failures(file)}
      </>
    ),
  };
}
