import type { Content } from '../../../lib/text/html.ts';
import type { ComponentState } from '../../../areas/status/model.ts';
import { formPage } from '../components/form-page.tsx';
import type { ConsolePage } from '../layout.tsx';
import { sectionPath } from '../sections.ts';
import { addComponentForm, openIncidentForm, planForm } from './forms.tsx';
import { texts } from './texts/en.ts';

const statusForm = (title: string, children: Content): ConsolePage =>
  formPage({
    section: 'status',
    title,
    breadcrumbs: [{ href: sectionPath('status'), text: texts.title }],
    children,
  });

/** The page of the form for a new incident. `subscribers`: how many people are emailed. */
export const newIncidentPage = (
  components: readonly ComponentState[],
  subscribers: number,
): ConsolePage =>
  statusForm(
    texts.actions.openIncident,
    openIncidentForm(components, texts.emailed({ count: subscribers })),
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
  );

/** The page of the form for a new check. */
export const newCheckPage = (): ConsolePage =>
  statusForm(texts.actions.addComponent, addComponentForm());
