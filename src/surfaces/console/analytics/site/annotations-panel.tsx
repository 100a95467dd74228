import type { Html } from '../../../../lib/text/html.ts';
import { CreateAnnotationBody } from '../../../../areas/analytics/annotations/schemas.ts';
import { formatDateTime } from '../../../../platform/i18n/dates.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { Menu } from '../../../../platform/ui/components/overlay.tsx';
import { Table } from '../../../../platform/ui/components/table.tsx';
import { ActionButton, ConsoleForm } from '../../components/console-form.tsx';
import { DrawerLink } from '../../components/drawer-link.tsx';
import { UndoButton } from '../../components/notices.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import type { AnalyticsPageQuery } from '../page-query.ts';
import type { Annotation } from '../dashboard/figures-panel.tsx';
import { texts } from '../texts/en.ts';
import { ofSite } from '../view-controls.tsx';
import type { ViewParams } from '../view-params.ts';
import { sitePartPath, sitePath } from './site-path.ts';
import { localValue } from './site-times.ts';

const { annotations: words } = texts.site;

/** The form for a new annotation, in the time zone of the site. `now`: Unix ms. */
export function newAnnotationForm({ site, siteZone: zone }: ViewParams, now: number): Html {
  const field = fieldsOf(CreateAnnotationBody, { idPrefix: 'annotation', texts: words });
  return (
    <ConsoleForm
      action={`${sitePath}/annotations`}
      values={{ site_id: site, zone }}
      submit={{ label: words.create }}
      cancel={sitePartPath('annotations', site)}
    >
      {field('text')}
      {field('at', { value: localValue(now, zone), hint: texts.site.zoneHint({ zone }) })}
    </ConsoleForm>
  );
}

/** The annotations of a site. */
export function annotationsPanel(
  annotations: readonly Annotation[],
  { site, siteZone: timeZone }: Pick<ViewParams, 'site' | 'siteZone'>,
  isAdmin: boolean,
): Html {
  const menu = ({ id, at, text }: Annotation) =>
    isAdmin && (
      <Menu
        id={`menu-${id}`}
        label={texts.site.actionsFor({ name: text })}
        isIconOnly
        items={[
          <ActionButton
            action={`${sitePath}/annotations/delete`}
            values={{ site_id: site, id, at, text }}
            label={words.delete}
            icon="trash"
            kind="ghost"
          />,
        ]}
      />
    );
  return (
    <Card
      id="annotations"
      title={words.heading}
      hint={`${words.hint} ${texts.site.timesIn({ zone: timeZone })}`}
      actions={
        isAdmin && (
          <DrawerLink
            href={ofSite(`${sitePath}/annotations/new`, site)}
            label={words.add}
            icon="plus"
            size="small"
          />
        )
      }
    >
      <Table
        caption={words.heading}
        columns={[
          { title: words.date, text: ({ at }) => formatDateTime(at, { timeZone }) },
          {
            title: words.fields.text,
            cell: ({ id, text }) => (
              <span id={`annotation-${id}`} safe>
                {text}
              </span>
            ),
          },
          { title: texts.site.actions, cell: menu, isTitleHidden: true, isNumber: true },
        ]}
        rows={annotations}
        empty={<EmptyState icon="flag" text={words.empty} />}
      />
    </Card>
  );
}

/** Restores a deleted annotation, whose content is in the URL. */
export const undoDeletion = ({
  done,
  site_id,
  value: text,
  from: at,
}: AnalyticsPageQuery): Html | undefined =>
  done === 'annotation_deleted' && text !== undefined && at !== undefined ? (
    <UndoButton action={`${sitePath}/annotations`} values={{ site_id, at, text }} />
  ) : undefined;
