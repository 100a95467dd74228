import type { Html } from '../../../../lib/text/html.ts';
import type { Annotation } from '../dashboard/dashboard-page.tsx';
import { emptyState, panel, time } from '../../components/elements.tsx';
import { field, postForm } from '../../components/forms.tsx';
import { actionsColumn, table } from '../../components/tables.tsx';
import type { Viewer } from '../../request-context.ts';

interface Place {
  site: string;
  /** Of the page. */
  path: string;
}

const newAnnotationForm = ({ site, path }: Place): Html =>
  postForm({
    action: `${path}/annotations`,
    values: { site_id: site },
    inputs: [
      field({
        id: 'annotation-at',
        name: 'at',
        label: 'When (UTC)',
        type: 'datetime-local',
        attributes: { required: true },
      }),
      field({
        id: 'annotation-text',
        name: 'text',
        label: 'What happened',
        attributes: { required: true },
      }),
    ],
    button: 'Add',
    kind: 'first',
  });

export function annotationsPanel(
  annotations: readonly Annotation[],
  place: Place,
  { isAdmin }: Viewer,
): Html {
  const { site, path } = place;
  const deleteForm = ({ id, at, text }: Annotation) =>
    postForm({
      action: `${path}/annotations/delete`,
      values: { site_id: site, id, at, text },
      button: 'Delete',
      about: `annotation-${id}`,
    });
  const list = table({
    caption: 'Annotations',
    columns: ['When', 'What happened', actionsColumn('Actions')],
    rows: annotations.map((annotation) => [
      time(annotation.at),
      <span id={`annotation-${annotation.id}`} safe>
        {annotation.text}
      </span>,
      isAdmin ? deleteForm(annotation) : undefined,
    ]),
    empty: emptyState({
      text: 'None yet. A note of a launch or a campaign explains a curve months later.',
    }),
  });
  return panel({
    id: 'annotations',
    title: 'Annotations',
    hint: 'They stand in the chart of the dashboard.',
    body: [list, isAdmin ? newAnnotationForm(place) : undefined],
  });
}
