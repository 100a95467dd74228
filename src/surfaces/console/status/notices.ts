import type { Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/incident-store.ts';
import { notice, sentenceOf } from '../components/elements.tsx';
import { postForm } from '../components/forms.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('status');
const impactName = (impact: Incident['impact']): string =>
  (impact === 'maintenance' ? impact : texts.incident.impacts[impact]).toLowerCase();

/** The notice of what was just done; undefined for unknown keys. */
export function statusNotice(done: string | undefined): Html | undefined {
  const sentence = sentenceOf(texts.notices, done);
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
        body: texts.incidentPage.reopenMessage,
      },
      button: texts.incidentPage.reopen,
    });
    return notice(texts.notices.resolved, undo);
  }
  if (kind === 'incident' && done === 'changed' && was !== undefined && was !== impact) {
    const undo = postForm({
      action: `${home}/incidents/${id}/change`,
      values: { impact: was },
      button: texts.undoImpact({ impact: impactName(was) }),
    });
    return notice(texts.notices.changed, undo);
  }
  return statusNotice(done);
}
