import { type Content, escapeHtml, type Html } from '../../../lib/text/html.ts';
import type { ComponentView } from '../../../areas/status/components/schemas.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import { formatNumber } from '../../../platform/i18n/numbers.ts';
import { Time } from '../../../platform/ui/time.tsx';
import { WordForm } from '../components/console-form.tsx';
import { FormAbout, TitledPoints } from '../components/form-about.tsx';
import { formPage } from '../components/form-page.tsx';
import type { ConsolePage } from '../layout.tsx';
import { sectionPath } from '../sections.ts';
import {
  addComponentForm,
  archiveForm,
  changeComponentForm,
  type TestResult,
} from './check-forms.tsx';
import { type IncidentTemplate, openIncidentForm, planForm } from './forms.tsx';
import { changeIncidentForm, formPath, type IncidentView } from './incident-forms.tsx';
import { componentBadge, incidentPath } from './labels.tsx';
import { texts } from './texts/en.ts';

const home = { href: sectionPath('status'), text: texts.title };

/** `above`: the page of what the form is about. */
const statusForm = (
  title: string,
  children: Content,
  above?: { href: string; text: string },
  about?: Html,
): ConsolePage =>
  formPage({
    section: 'status',
    title,
    breadcrumbs: above === undefined ? [home] : [home, above],
    about,
    children,
  });

const { next } = texts;

const whatNext = (items: readonly string[]): Html => (
  <TitledPoints title={next.title} items={items} />
);

export interface NewIncidentView {
  components: readonly ComponentState[];
  /** How many people are emailed. */
  subscribers: number;
  /** What the form is filled in for. */
  template: IncidentTemplate | undefined;
}

/** The page of the form for a new incident. */
export const newIncidentPage = ({
  components,
  subscribers,
  template,
}: NewIncidentView): ConsolePage =>
  statusForm(
    texts.actions.openIncident,
    openIncidentForm({ components, template, note: texts.emailed({ count: subscribers }) }),
    undefined,
    whatNext([
      next.incident.shown,
      next.incident.emailed({ count: subscribers }),
      next.incident.end,
    ]),
  );

/** The page of the form for new maintenance. `now`: Unix ms. */
export const newMaintenancePage = (
  components: readonly ComponentState[],
  subscribers: number,
  now: number,
): ConsolePage =>
  statusForm(
    texts.actions.planMaintenance,
    planForm(components, now, texts.emailed({ count: subscribers })),
    undefined,
    whatNext([
      next.maintenance.shown,
      next.maintenance.emailed({ count: subscribers }),
      ...next.maintenance.points,
    ]),
  );

/** The page of the form for a new check. `result`: of its test. */
export const newCheckPage = (result?: TestResult): ConsolePage =>
  statusForm(texts.actions.addComponent, addComponentForm(result), undefined, whatNext(next.check));

/** Which check a form is about. */
const aboutCheck = ({ name, description, status, target }: ComponentView): Html => {
  const words = texts.componentPage;
  return (
    <FormAbout
      title={name}
      detail={description ?? undefined}
      facts={[
        { name: words.status, value: componentBadge(status) },
        target === null ? undefined : { name: words.target, value: <code safe>{target}</code> },
      ]}
    />
  );
};

const aboveForm = ({ id, name }: ComponentView) => ({
  href: `${home.href}/components/${id}`,
  text: name,
});

/** The page of the form that changes a component. */
export const changeComponentPage = (component: ComponentView): ConsolePage =>
  statusForm(
    texts.componentPage.edit,
    changeComponentForm(component),
    aboveForm(component),
    aboutCheck(component),
  );

/** The page of the form that archives a check. */
export const archiveComponentPage = (component: ComponentView): ConsolePage =>
  statusForm(
    texts.check.archive,
    archiveForm(component),
    aboveForm(component),
    aboutCheck(component),
  );

/** Which incident or maintenance a form is about. */
const aboutIncident = ({ name, affected, createdAt, updates }: Incident): Html => (
  <FormAbout
    title={name}
    facts={[
      {
        name: texts.incidentPage.about.created,
        value: <Time at={new Date(createdAt).toISOString()} />,
      },
      { name: texts.incidentPage.about.updates, value: escapeHtml(formatNumber(updates.length)) },
      { name: texts.incidentPage.about.affected, value: escapeHtml(formatNumber(affected.length)) },
    ]}
  />
);

/** The page of the form that changes an incident or a maintenance. */
export function changeIncidentPage(view: IncidentView): ConsolePage {
  const { editIncident, editMaintenance } = texts.incidentPage;
  const { kind, id, name } = view.incident;
  return statusForm(
    kind === 'incident' ? editIncident : editMaintenance,
    changeIncidentForm(view),
    { href: incidentPath(id), text: name },
    aboutIncident(view.incident),
  );
}

/** The page of the form that deletes an incident or a maintenance. */
export function deleteIncidentPage(incident: Incident): ConsolePage {
  const { deleteIncident, deleteMaintenance, deletePoints, deleteWarning } = texts.incidentPage;
  const { kind, id, name } = incident;
  const title = kind === 'incident' ? deleteIncident : deleteMaintenance;
  return statusForm(
    title,
    <WordForm
      id="delete"
      action={`${formPath(incident)}/delete`}
      word="delete"
      submit={title}
      points={deletePoints[kind]}
      warning={deleteWarning}
      cancel={incidentPath(id)}
    />,
    { href: incidentPath(id), text: name },
    aboutIncident(incident),
  );
}
