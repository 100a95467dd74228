import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { textLink, withQuery } from '../../components/navigation.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { ActivityList, entryPath } from '../audit/activity.tsx';
import { texts } from '../texts/en.ts';
import { userFrame } from './user-frame.tsx';
import type { UserActivityView } from './user-view.ts';

const words = texts.user.entries;

/** What a user did, and what was done to the account. */
export function userActivityPage(view: UserActivityView, isOwn: boolean): ConsolePage {
  const { user, entries, subjects } = view;
  const all = withQuery(sectionPath('audit'), { person: user.id });
  return userFrame(view, 'activity', {
    isOwn,
    body: (
      <Card id="activity" title={words.title} actions={textLink(all, words.all)}>
        {entries.length === 0 ? (
          <EmptyState icon="list" text={words.none} />
        ) : (
          <ActivityList
            entries={entries}
            subjects={subjects}
            detailsPath={entryPath}
            aboutUser={user.id}
          />
        )}
      </Card>
    ),
  });
}
