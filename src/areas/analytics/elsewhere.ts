import { requestErrors } from '../../platform/errors.ts';
import type { Journal } from '../../platform/journal/journal.ts';
import type { SupervisedThread } from './supervised-thread.ts';

const refusal = () => requestErrors.unavailable({
  detail: 'This replica takes no events and has no figures (ANALYTICS=off). The load balancer should send this to the one that does.', headers: { 'retry-after': '5' },
});

const refuse = (): Promise<never> => Promise.reject(refusal());

/** Where events go, on a replica that takes none: each is refused, so that whoever sent it tries again elsewhere. */
export const journalElsewhere = (journal: Journal): Journal => ({ ...journal, append: refuse, sync: refuse });

/**
 * The questions about figures, on a replica that has none: wrong figures would look like right ones. What keeps the store of
 * this replica in order goes on, for it may have events of earlier.
 */
export function figuresElsewhere(thread: SupervisedThread): SupervisedThread {
  return {
    ...thread, dashboard: refuse, retention: refuse, goals: refuse, funnel: refuse, siteStats: refuse,
    export: () => { throw refusal(); },
  };
}
