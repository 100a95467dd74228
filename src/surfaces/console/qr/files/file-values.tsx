import type { QrBatchView } from '../../../../areas/qr/batches/schemas.ts';
import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import { Badge } from '../../../../platform/ui/components/badge.tsx';
import { partyLabel } from '../../people/audit/party-label.tsx';
import type { UserNames } from '../../people/user-names.ts';
import { texts } from '../texts/en.ts';

/** Who uploaded files. */
export interface Uploaders {
  /** By the id of the file. Files of long ago are not among them. */
  actors: ReadonlyMap<string, { kind: string; id: string | null }>;
  names: UserNames;
}

const words = texts.files;

/** The name of a file, or that it has none. */
export const fileName = ({ name }: QrBatchView): string => name ?? words.unnamed;

export const fileProgress = ({ done, total }: QrBatchView): string =>
  words.progress({ done: formatNumber(done), total: formatNumber(total) });

export const FileStatus = ({ status }: Pick<QrBatchView, 'status'>): Html => (
  <Badge text={words.status[status]} tone={status === 'running' ? 'info' : 'ok'} />
);

/** Who uploaded a file. */
export function uploaderLabel({ id }: QrBatchView, { actors, names }: Uploaders): Html {
  const actor = actors.get(id);
  return actor === undefined ? escapeHtml(words.unknown) : partyLabel(actor, names);
}
