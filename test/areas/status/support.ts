import { asAdmin, type TestApp } from '../../support/app.ts';
import { TestClient } from '../../support/client.ts';

/** A component, incident or maintenance as the API shows it. */
export interface Shown extends Record<string, unknown> {
  id: string;
  status: string;
  incident_updates: { status: string; body: string }[];
  components: { id: string; status: string }[];
}

interface Summary {
  status: { indicator: string; description: string };
  components: Shown[];
  incidents: Shown[];
  scheduled_maintenances: Shown[];
}

export const iso = (ms: number): string => new Date(ms).toISOString();

/** What admins do with the status of a service. */
export function statusOf(app: TestApp) {
  const anyone = new TestClient(app);
  const admin = anyone.as(asAdmin).at('/api/v1/status');
  const summary = async () => (await anyone.get<Summary>('/api/status')).body;
  return {
    admin,
    summary,
    component: async (id: string) =>
      (await summary()).components.find((component) => component.id === id),
    /** What is recorded of a component today. */
    today: (id: string) =>
      app.services.status
        .state()
        .components.find((component) => component.id === id)
        ?.days.at(-1),
    countComponents: async () => (await admin.get<{ total: number }>('/components')).body.total,
    openIncident: (fields: object = {}) =>
      admin.post<Shown>('/incidents', {
        name: 'Slow answers',
        body: 'We look into it.',
        ...fields,
      }),
    updateIncident: (id: string, status: string, fields: object = {}) =>
      admin.post<Shown>(`/incidents/${id}/updates`, { status, body: 'Some words.', ...fields }),
  };
}
