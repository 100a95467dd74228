import type { Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/incident-store.ts';
import { notice, sentenceOf } from '../components/elements.tsx';
import { postForm } from '../components/forms.tsx';
import { sectionPath } from '../sections.ts';
import { words } from './labels.tsx';

const home = sectionPath('status');

const sentences: Readonly<Partial<Record<string, string>>> = {
  opened: 'The incident is open, and on the status page. Subscribers are being told.',
  planned: 'The maintenance is announced. It begins and ends by itself.',
  updated: 'The update is on the status page. Subscribers are being told.',
  resolved: 'The incident is resolved.',
  changed: 'The changes are saved.',
  incident_deleted: 'The incident is deleted.',
  maintenance_deleted: 'The maintenance is deleted.',
  component_added: 'The check is added. Its first result comes within a minute.',
  component_changed: 'The component is changed.',
  component_archived: 'The check is off the status page.',
  subscriber_removed: 'The address gets no more updates.',
};

/** The notice of what was just done; undefined for unknown keys. */
export function statusNotice(done: string | undefined): Html | undefined {
  const sentence = sentenceOf(sentences, done);
  return sentence === undefined ? undefined : notice(sentence);
}

/**
 * The notice on the page of an incident, with a form to revert the change. `was`: its previous
 * impact.
 */
export function incidentNotice(
  { id, kind, resolvedAt, impact }: Incident,
  done: string | undefined,
  was: Incident['impact'] | undefined,
): Html | undefined {
  if (kind === 'incident' && done === 'resolved' && resolvedAt !== null) {
    const undo = postForm({
      action: `${home}/incidents/${id}/updates`,
      values: {
        status: 'monitoring',
        body: 'This incident is open again: we are still watching it.',
      },
      button: 'Open it again',
    });
    return notice(sentences.resolved ?? '', undo);
  }
  if (kind === 'incident' && done === 'changed' && was !== undefined && was !== impact) {
    const undo = postForm({
      action: `${home}/incidents/${id}/change`,
      values: { impact: was },
      button: `Undo: impact was ${words(was).toLowerCase()}`,
    });
    return notice(sentences.changed ?? '', undo);
  }
  return statusNotice(done);
}
