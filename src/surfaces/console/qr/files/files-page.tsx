import type { QrBatchView } from '../../../../areas/qr/batches/schemas.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { type Column, Table } from '../../../../platform/ui/components/table.tsx';
import { Time } from '../../../../platform/ui/time.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { qrBreadcrumbs } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import { filePath, newFilePath } from './file-paths.ts';
import {
  fileName,
  fileProgress,
  FileStatus,
  type Uploaders,
  uploaderLabel,
} from './file-values.tsx';
import { textLink } from '../../components/navigation.tsx';

export interface FilesView extends Uploaders {
  files: readonly QrBatchView[];
}

const words = texts.files;

/** Seconds between two looks at files whose codes are being created. */
export const liveSeconds = 3;

const columnsOf = (uploaders: Uploaders): readonly Column<QrBatchView>[] => [
  {
    title: words.columns.name,
    cell: (file) => textLink(filePath(file.id), fileName(file)),
  },
  { title: words.columns.status, cell: FileStatus },
  { title: words.columns.created, cell: ({ created_at: at }) => <Time at={at} />, isMinor: true },
  { title: words.columns.by, cell: (file) => uploaderLabel(file, uploaders), isMinor: true },
  { title: words.columns.progress, text: fileProgress, isNumber: true },
  {
    title: words.columns.failed,
    text: ({ failed }) => formatNumber(failed),
    isNumber: true,
  },
];

/** The last files that codes were created from. */
export function filesPage({ files, ...uploaders }: FilesView): ConsolePage {
  const isRunning = files.some(({ status }) => status === 'running');
  const add = <Button label={words.add} href={newFilePath} kind="primary" icon="upload" />;
  return {
    section: 'qr',
    title: words.title,
    breadcrumbs: qrBreadcrumbs,
    actions: files.length === 0 ? undefined : add,
    ...(isRunning ? { every: liveSeconds } : {}),
    body: (
      <Card id="files" title={words.all} isLive>
        <Table
          caption={words.caption}
          columns={columnsOf(uploaders)}
          rows={files}
          rowId={({ id }) => id}
          empty={<EmptyState icon="qr" text={words.none} action={add} />}
        />
      </Card>
    ),
  };
}
