import type { Html } from '../../../lib/text/html.ts';
import type { Incident } from '../../../areas/status/incidents/store.ts';
import { Toast } from '../../../platform/ui/components/feedback.tsx';
import { ActionButton } from '../components/console-form.tsx';
import { doneNotice } from '../components/notices.tsx';
import { sectionPath } from '../sections.ts';
import { texts } from './texts/en.ts';

const home = sectionPath('status');
const impactName = (impact: Incident['impact']): string =>
  (impact === 'maintenance' ? impact : texts.incident.impacts[impact]).toLowerCase();

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
    const reopen = (
      <ActionButton
        action={`${home}/incidents/${id}/updates`}
        values={{ status: 'monitoring', body: texts.incidentPage.reopenMessage }}
        label={texts.incidentPage.reopen}
      />
    );
    return <Toast text={texts.notices.resolved} undo={reopen} />;
  }
  if (kind === 'incident' && done === 'changed' && was !== undefined && was !== impact) {
    const revert = (
      <ActionButton
        action={`${home}/incidents/${id}/change`}
        values={{ impact: was }}
        label={texts.undoImpact({ impact: impactName(was) })}
      />
    );
    return <Toast text={texts.notices.changed} undo={revert} />;
  }
  return doneNotice(texts.notices, done);
}
