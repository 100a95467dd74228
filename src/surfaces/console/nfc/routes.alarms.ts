import { z } from 'zod';
import { alarmKinds } from '../../../areas/nfc/tables.ts';
import { withQuery } from '../components/navigation.tsx';
import type { ConsoleRoute } from '../request-context.ts';
import { form } from '../routes.forms.ts';
import { page } from '../routes.pages.ts';
import { readGroups, setResolved } from './alarm-groups.ts';
import { AlarmDone, alarmsPage } from './alarms-page.tsx';
import { alarmsPath, tagPath } from './nfc-paths.ts';

const Query = AlarmDone.extend({ state: z.enum(['open', 'resolved']).default('open') });
const ResolveForm = z.object({
  kind: z.enum(alarmKinds),
  tag_id: z.uuid().toLowerCase().optional(),
  since: z.iso.datetime(),
  resolved: z.boolean(),
  place: z.enum(['all', 'tag']),
});

/** The alarms of all tags, and the form that resolves them. */
export const alarmRoutes: readonly ConsoleRoute[] = [
  page({
    id: 'console.nfc_alarms',
    path: '/api/svc/console/nfc/alarms',
    summary: 'Console: NFC alarms',
    query: Query,
    async show({ nfcAlarms }, { state, ...query }) {
      const isResolved = state === 'resolved';
      const [open, groups] = await Promise.all([
        readGroups(nfcAlarms, { resolved: false }),
        isResolved ? readGroups(nfcAlarms, { resolved: true }) : undefined,
      ]);
      return alarmsPage({ groups: groups ?? open, open: open.length, isResolved, query });
    },
  }),
  form({
    id: 'console.resolve_nfc_alarms',
    path: '/api/svc/console/nfc/alarms/resolve',
    summary: 'Form: resolve NFC alarms, or reopen them',
    body: ResolveForm,
    run: ({ nfcAlarms }, { kind, since, tag_id: tagId = null, resolved }, { by }) =>
      setResolved(nfcAlarms, { kind, since, tagId }, resolved, by),
    to({ kind, since, tag_id: tagId, resolved, place }) {
      const path = place === 'tag' && tagId !== undefined ? tagPath(tagId, 'alarms') : alarmsPath;
      return withQuery(path, resolved ? { kind, since, tag_id: tagId } : {});
    },
    done: ({ resolved }) => (resolved ? 'resolved' : 'reopened'),
  }),
];
