import { formatDateTime } from '../../../../platform/i18n/dates.ts';
import { formatNumber } from '../../../../platform/i18n/numbers.ts';
import type { AreaPersonalData } from '../../../../platform/database/personal-data.ts';
import { texts } from '../texts/en.ts';
import type { ExportPart } from './archive.ts';

interface Readme {
  app: string;
  at: Date;
  parts: readonly ExportPart[];
  hasPicture: boolean;
  personalData: readonly AreaPersonalData[];
}

const item = (text: string): string => `- ${text}`;

function fileLine({ area, title, about, rows, isCut }: ExportPart): string {
  const count = formatNumber(rows.length);
  const { file, rows: all, cut } = texts.readme;
  return item(file({ area, title, about, rows: (isCut ? cut : all)({ count }) }));
}

/** What is in an export and what is not, and what deleting the account leaves. */
export function readmeOf({ app, at, parts, hasPicture, personalData }: Readme): string {
  const text = texts.readme;
  const kept = personalData.flatMap(({ area, rows }) =>
    rows.flatMap(({ title, onDeletion }) =>
      onDeletion.action === 'delete' ? [] : [text.kept({ area, title, keeps: onDeletion.keeps })],
    ),
  );
  return [
    text.title({ app, date: formatDateTime(at) }),
    '',
    text.format,
    '',
    text.files,
    ...parts.map(fileLine),
    ...(hasPicture ? [item(text.picture)] : []),
    '',
    text.missing,
    ...[text.anonymous, text.shortLived, text.secrets].map(item),
    '',
    text.deletion,
    text.deleted,
    ...kept.map(item),
    '',
  ].join('\n');
}
