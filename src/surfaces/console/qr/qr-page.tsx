import type { FormerTargetView } from '../../../areas/qr/codes/schemas.ts';
import { qrCodeResource } from '../../../areas/qr/resource.ts';
import type { QrCodeView } from '../../../areas/qr/schemas.ts';
import { readableUrl } from '../../../lib/net/readable-url.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { consolePath } from '../../../lib/site-paths.ts';
import { Badge } from '../../../platform/ui/components/badge.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../platform/ui/components/feedback.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import { type Column, Facts, Table } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { ActionButton } from '../components/console-form.tsx';
import { withQuery } from '../components/navigation.tsx';
import { doneNotice } from '../components/notices.tsx';
import type { ConsolePage } from '../layout.tsx';
import { valueLabel } from '../resources/entry-values.tsx';
import { resourcePath } from '../resources/resource-paths.ts';
import { newFilePath } from './files/file-paths.ts';
import { labelsOfCode } from './labels/label-form.tsx';
import { codeLogoCard } from './logos/code-logo.tsx';
import { hasStyle, type QrPageView, qrPath } from './qr-view.ts';
import { scansPart } from './scans-part.tsx';
import { qrBreadcrumbs } from './breadcrumbs.ts';
import { texts } from './texts/en.ts';

const size = 240;
const formats = ['svg', 'png', 'pdf'] as const;

const downloads = ({ id }: QrCodeView): Html => (
  <>
    {formats.map((format) => (
      <Button
        label={texts.download[format]}
        icon="download"
        size="small"
        href={`${qrPath}/picture?id=${id}&format=${format}`}
      />
    ))}
  </>
);

function statusBadge({ status }: QrCodeView): Html {
  const tone = qrCodeResource.tones?.status?.[status] ?? 'neutral';
  return <Badge text={valueLabel(qrCodeResource, 'status', status)} tone={tone} />;
}

function picturePart({ code, svg }: QrPageView): Html {
  const source = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  return (
    <Card id="picture" title={texts.picture} actions={downloads(code)}>
      <img
        src={source}
        width={String(size)}
        height={String(size)}
        alt={texts.pictureOf({ name: code.name })}
      />
      {code.short_url === null ? (
        <Copy text={code.text} label={texts.text} />
      ) : (
        <Copy text={code.short_url} label={texts.link} />
      )}
      <Facts
        facts={[
          { name: texts.conditions, value: statusBadge(code) },
          code.url === null
            ? undefined
            : { name: texts.target, value: escapeHtml(readableUrl(code.url)) },
        ]}
      />
    </Card>
  );
}

const formerColumns = ({ id }: QrCodeView): readonly Column<FormerTargetView>[] => [
  { title: texts.former.columns.url, text: ({ url }) => readableUrl(url) },
  {
    title: texts.former.columns.replaced,
    cell: ({ replaced_at: at }) => <Time at={at} />,
    isMinor: true,
  },
  {
    title: texts.former.columns.restore,
    cell: (target) => (
      <ActionButton
        action={`${qrPath}/restore`}
        label={texts.former.restore}
        values={{ id, target_id: target.id }}
      />
    ),
  },
];

const formerPart = ({ code, former }: QrPageView): Html => (
  <Card id="targets" title={texts.former.title} hint={texts.former.hint}>
    <Table
      caption={texts.former.caption}
      columns={formerColumns(code)}
      rows={former}
      rowId={({ id }) => id}
      empty={<EmptyState icon="list" text={texts.former.none} />}
    />
  </Card>
);

function actions({ code, stats }: QrPageView): Html {
  const list = resourcePath(qrCodeResource);
  const figures =
    stats &&
    `${consolePath}analytics?${new URLSearchParams({
      site_id: stats.site_id,
      filter: stats.filter,
    }).toString()}`;
  return (
    <>
      {figures !== undefined && <Button label={texts.figures} href={figures} />}
      {hasStyle(code) && (
        <Button label={texts.more} href={withQuery(newFilePath, { style_of: code.id })} />
      )}
      <Button label={texts.edit} href={`${list}/${code.id}`} />
    </>
  );
}

/** A QR code: its picture, its scans, and the targets that it had. */
export function qrPage(view: QrPageView): ConsolePage {
  const { code, done } = view;
  return {
    section: 'records',
    title: code.name,
    breadcrumbs: qrBreadcrumbs,
    notice: doneNotice(texts.notices, done),
    actions: actions(view),
    body: (
      <>
        {picturePart(view)}
        {code.dynamic && scansPart(view)}
        {code.dynamic && formerPart(view)}
        {codeLogoCard(code, view.logos)}
        {labelsOfCode(code.id)}
      </>
    ),
  };
}
