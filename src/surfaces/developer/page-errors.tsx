import { STATUS_CODES } from 'node:http';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
import { Fold, foldFilter } from '../../platform/ui/components/folds.tsx';
import { withNavigation, type Surroundings } from './pages.tsx';
import { areaNames, texts } from './texts/en/pages.ts';

export interface CatalogueEntry {
  code: string;
  status: number;
  detail: string;
}

/** The code of unexpected errors, which is in no table. */
const internalError: CatalogueEntry = {
  code: 'internal',
  status: 500,
  detail: texts.errors.internal,
};

const titleOf = (area: string): string =>
  areaNames[area] ?? `${area.slice(0, 1).toUpperCase()}${area.slice(1).replaceAll('_', ' ')}`;
const areaOf = ({ code }: CatalogueEntry): string => code.split('.')[0] ?? '';

const line = ({ code, status, detail }: CatalogueEntry): Html => (
  <li id={code}>
    <a href={`#${code}`}>
      <code safe>{code}</code>
    </a>
    <span class="error-status">
      <b safe>{String(status)}</b> {escapeHtml(STATUS_CODES[status] ?? '')}
    </span>
    <span safe>{detail}</span>
  </li>
);

const part = (area: string, entries: readonly CatalogueEntry[]): Html => (
  <Fold
    id={`area-${area}`}
    title={titleOf(area)}
    level={2}
    count={texts.errors.count({ count: entries.length })}
    isOpen={area === 'request'}
  >
    <ul>{entries.map(line)}</ul>
  </Fold>
);

/** The page of all error codes, each with an anchor: `/developer/errors#otp.invalid`. */
export function errorsPage(
  catalogue: readonly CatalogueEntry[],
  surroundings: Surroundings,
): SitePage {
  const sorted = [...catalogue, internalError].toSorted((a, b) => a.code.localeCompare(b.code));
  const areas = [...new Set(['request', ...sorted.map(areaOf)])];
  const hasErrorGuide = surroundings.library.find('errors-and-limits') !== undefined;
  return withNavigation(
    {
      title: texts.errors.title,
      path: '/developer/errors',
      styles: ['developer.css', 'folds.css'],
      description: texts.errors.description({ appName: surroundings.appName }),
      body: (
        <>
          <p class="intro">
            {rich(texts.errors.intro, { code: inlineCode })}
            {hasErrorGuide ? (
              <>
                {' '}
                {rich(texts.errors.guide, { link: linkTo('/developer/guides/errors-and-limits') })}
              </>
            ) : undefined}
          </p>
          {foldFilter(texts.errors.filter)}
          <div class="error-codes folds">
            {areas.map((area) =>
              part(
                area,
                sorted.filter((entry) => areaOf(entry) === area),
              ),
            )}
          </div>
        </>
      ),
    },
    surroundings,
    areas.map((area) => ({ href: `#area-${area}`, text: titleOf(area) })),
  );
}
