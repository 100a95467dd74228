import { z } from 'zod';
import type { Html } from '../../lib/text/html.ts';
import { type ListFile, sendListFile } from '../../platform/resource/list-file.ts';
import { MenuLink } from './components/menu-link.tsx';
import { type Query, withQuery } from './components/navigation.tsx';
import { texts } from './texts/en.ts';

export const exportFormat = z
  .enum(['csv', 'json'])
  .optional()
  .describe('Downloads the filtered list in this format instead of showing the page.');

const maxRows = 10_000;

/** Links that export a list with these filters. */
export function exportLinks(path: string, query: Query): Html {
  const link = (format: 'csv' | 'json') => (
    <a href={withQuery(path, { ...query, format })} download safe>
      {texts.export.file({ format: format.toUpperCase() })}
    </a>
  );
  return (
    <>
      {link('csv')}
      {link('json')}
    </>
  );
}

/** The same as items of a menu. */
export const exportItems = (path: string, query: Query): readonly Html[] =>
  (['csv', 'json'] as const).map((format) => (
    <MenuLink
      href={withQuery(path, { ...query, format })}
      icon="download"
      label={texts.export.file({ format: format.toUpperCase() })}
      isDownload
    />
  ));

/** Sends a list as a file of at most 10,000 rows, page by page: memory holds one page at a time. */
export const sendListExport = <Row,>(
  reply: Parameters<typeof sendListFile>[0],
  file: Omit<ListFile<Row>, 'maxRows'>,
): ReturnType<typeof sendListFile> => sendListFile(reply, { ...file, maxRows });
