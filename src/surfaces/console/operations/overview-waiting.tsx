import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { formatAgo } from '../../../platform/i18n/ago.ts';
import { formatList } from '../../../platform/i18n/lists.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Icon, type IconName } from '../../../platform/ui/icon.tsx';
import { withQuery } from '../components/navigation.tsx';
import { alarmsPath, tagPath } from '../nfc/nfc-paths.ts';
import { sectionPath } from '../sections.ts';
import type { Waiting, WaitingAlarm } from '../waiting.ts';
import { texts } from './texts/en.ts';

const words = texts.overview.waiting;

/** Something that waits, and what to do about it. */
interface Task {
  icon: IconName;
  text: string;
  hint?: string | undefined;
  href: string;
  button: string;
  isBad?: boolean;
}

const capitalised = (text: string): string => text.replace(/^./, (first) => first.toUpperCase());

function alarmTask({ tagId, tagName, kinds }: WaitingAlarm): Task {
  return {
    icon: 'tag',
    text: words.alarm({ tag: tagName ?? words.unknownTag }),
    hint: capitalised(
      formatList(Array.from(kinds, ([kind, count]) => words.alarms[kind]({ count }))),
    ),
    href: tagId === null ? alarmsPath : tagPath(tagId, 'alarms'),
    button: words.review,
    isBad: true,
  };
}

const maxAlarms = 3;

/** What waits, the most urgent first. */
function tasksOf(waiting: Waiting, now: number): Task[] {
  const { devices, oldestDevice, messages, people, failedJobs, alarms } = waiting;
  const given = (count: number | null, task: (count: number) => Task): Task[] =>
    count === null || count === 0 ? [] : [task(count)];
  return [
    ...alarms.slice(0, maxAlarms).map(alarmTask),
    ...given(failedJobs, (count) => ({
      icon: 'jobs',
      text: words.failedJobs({ count }),
      href: withQuery(sectionPath('jobs'), { state: 'failed' }),
      button: words.retry,
      isBad: true,
    })),
    ...given(devices, (count) => ({
      icon: 'devices',
      text: words.devices({ count }),
      hint:
        oldestDevice === undefined
          ? undefined
          : words.oldest({ ago: formatAgo(oldestDevice, now) }),
      href: sectionPath('devices'),
      button: words.review,
    })),
    ...given(messages, (count) => ({
      icon: 'mail',
      text: words.messages({ count }),
      href: withQuery(sectionPath('contact'), { status: 'new' }),
      button: words.reply,
    })),
    ...given(people, (count) => ({
      icon: 'clock',
      text: words.people({ count }),
      href: sectionPath('waitlist'),
      button: words.invite,
    })),
  ];
}

const taskItem = ({ icon, text, hint, href, button, isBad = false }: Task): Html => (
  <li class={isBad ? 'task task-bad' : 'task'}>
    <span class="task-icon">
      <Icon name={icon} />
    </span>
    <span class="task-text">
      {escapeHtml(text)}
      {hint !== undefined && (
        <span class="hint" safe>
          {hint}
        </span>
      )}
    </span>
    <Button label={button} href={href} size="small" />
  </li>
);

/** What waits for an admin, each with a button; a calm sentence when nothing does. */
export function waitingPanel(waiting: Waiting, now: number): Html {
  const tasks = tasksOf(waiting, now);
  return (
    <Card id="waiting" title={words.title} isLive>
      {tasks.length === 0 ? (
        <p class="all-done">
          <Icon name="success" />
          {escapeHtml(words.none)}
        </p>
      ) : (
        <ul class="tasks">{tasks.map(taskItem)}</ul>
      )}
    </Card>
  );
}
