import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { textLink, withQuery } from '../../components/navigation.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { EntryTable } from '../audit/audit-table.tsx';
import { texts } from '../texts/en.ts';
import { userFrame } from './user-frame.tsx';
import type { UserActivityView } from './user-view.ts';

const words = texts.user.entries;

/** What a user did, and what was done to the account. */
export function userActivityPage(view: UserActivityView, isOwn: boolean): ConsolePage {
  const { user, byUser, onUser, names, actions } = view;
  const link = (key: string) =>
    textLink(withQuery(sectionPath('audit'), { [key]: user.id }), words.all);
  const table = (entries: UserActivityView['byUser'], caption: string) => (
    <EntryTable
      caption={caption}
      entries={entries}
      names={names}
      actions={actions}
      empty={<EmptyState icon="list" text={words.none} />}
    />
  );
  return userFrame(view, 'activity', {
    isOwn,
    body: (
      <>
        <Card id="on-user" title={words.asTarget} actions={link('target_id')}>
          {table(onUser, words.asTarget)}
        </Card>
        <Card id="by-user" title={words.asActor} actions={link('actor_id')}>
          {table(byUser, words.asActor)}
        </Card>
      </>
    ),
  });
}
