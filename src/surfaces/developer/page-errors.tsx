import { STATUS_CODES } from 'node:http';
import type { Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Field } from '../../platform/ui/components/form.tsx';
import { type Column, Table } from '../../platform/ui/components/table.tsx';
import { inlineCode, linkTo } from '../../platform/ui/link-to.tsx';
import type { SitePage } from '../../platform/ui/pages.tsx';
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

const columns: readonly Column<CatalogueEntry>[] = [
  {
    title: texts.errors.columns.code,
    cell: ({ code }) => (
      <a href={`#${code}`}>
        <code safe>{code}</code>
      </a>
    ),
  },
  {
    title: texts.errors.columns.status,
    text: ({ status }) => `${status} ${STATUS_CODES[status] ?? ''}`,
  },
  { title: texts.errors.columns.meaning, text: ({ detail }) => detail },
];

const table = (area: string, entries: readonly CatalogueEntry[]): Html => (
  <>
    <h2 id={`area-${area}`}>
      <a href={`#area-${area}`} safe>
        {titleOf(area)}
      </a>
    </h2>
    <Table
      caption={titleOf(area)}
      columns={columns}
      rows={entries}
      rowId={({ code }) => code}
      empty={<></>}
    />
  </>
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
          <div id="code-filter-box" hidden>
            <Field
              id="code-filter"
              type="search"
              label={texts.errors.filter}
              attributes={{ autocomplete: 'off', spellcheck: 'false' }}
            />
            <p class="hint" role="status" id="code-filter-count" data-what={texts.errors.found}></p>
          </div>
          <div class="error-codes">
            {areas.map((area) =>
              table(
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
