import type { Publisher } from '../../platform/bus/types.ts';
import type { StatusState } from './model.ts';
import { toStatuspageComponent } from './feeds/statuspage.ts';

/** Publishes components that have changed since the last call. The first call sets the baseline. */
export function createComponentEvents(publisher: Pick<Publisher, 'publishInBackground'>) {
  let before: ReadonlyMap<string, string> | undefined;
  let seen: StatusState | undefined;

  return (state: StatusState): void => {
    // The state is a new object whenever anything in it has changed.
    if (state === seen) return;
    seen = state;
    const known = before;
    const now = state.components.map((component) => {
      const { updated_at: updatedAt, ...same } = toStatuspageComponent(component);
      return {
        id: component.id,
        key: JSON.stringify(same),
        data: { ...same, updated_at: updatedAt },
      };
    });
    before = new Map(now.map(({ id, key }) => [id, key]));
    if (known === undefined) return;
    for (const { id, data } of now.filter(({ id: each, key }) => known.get(each) !== key)) {
      publisher.publishInBackground('status', { type: 'component.updated', data });
      publisher.publishInBackground(`status:${id}`, { type: 'component.updated', data });
    }
  };
}
