import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { DashboardView } from '../../../../areas/analytics/figures/schemas.dashboard.ts';
import { Icon } from '../../../../platform/ui/icon.tsx';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { formPage } from '../../components/form-page.tsx';
import { count } from '../../components/number-format.ts';
import type { ConsolePage } from '../../layout.tsx';
import { type ExportFormat, exportFormats } from '../figures.ts';
import { siteBreadcrumbs } from '../breadcrumbs.ts';
import { chooser, periodName } from '../view-controls.tsx';
import { analyticsPath, viewUrl, type ViewParams } from '../view-params.ts';
import { texts } from '../texts/en.ts';

const words = texts.dashboard.export;
const formatNames = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet' } as const;
type Format = keyof typeof formatNames;

/** From this many events on, a page asks before the download begins. */
const manyEvents = 100_000;

const downloadLink = (text: string, href: string, isAsked = false): Html => (
  <a href={href} download={!isAsked} data-drawer={isAsked}>
    <Icon name="download" />
    {escapeHtml(text)}
  </a>
);

/** The files of a view: its figures, and its events. */
export function exportMenu(address: ViewParams, { totals: { events } }: DashboardView): Html {
  const place = (name: string, format: Format) =>
    viewUrl(address, `${analyticsPath}/${name}`, { format });
  const isAsked = events > manyEvents;
  const heading = (text: string): Html => (
    <span class="menu-title" safe>
      {text}
    </span>
  );
  return chooser({
    id: 'export-menu',
    label: words.label,
    icon: 'download',
    text: words.heading,
    items: [
      heading(words.figures),
      ...(['csv', 'json'] as const).map((format) =>
        downloadLink(formatNames[format], place('figures', format)),
      ),
      heading(words.events({ events: count(events) })),
      ...exportFormats.map((format) =>
        downloadLink(
          formatNames[format],
          place(isAsked ? 'export/confirm' : 'export', format),
          isAsked,
        ),
      ),
    ],
  });
}

/** The question before a download of many events. */
export const exportQuestion = (
  address: ViewParams,
  { totals: { events } }: DashboardView,
  format: ExportFormat,
): ConsolePage =>
  formPage({
    section: 'analytics',
    title: words.question.title,
    breadcrumbs: siteBreadcrumbs(address.site, viewUrl(address)),
    children: (
      <>
        <p safe>
          {words.question.text({
            events: count(events),
            period: periodName(address),
            format: formatNames[format],
          })}
        </p>
        <Button
          label={words.question.button}
          href={viewUrl(address, `${analyticsPath}/export`, { format })}
          kind="primary"
          icon="download"
          attributes={{ download: true }}
        />
      </>
    ),
  });
