import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type {
  ContactNoteView,
  ContactReplyView,
  ContactThread,
} from '../../../areas/contact/schemas.ts';
import type { ContactStatus } from '../../../areas/contact/statuses.ts';
import { texts as words } from '../../../areas/contact/texts/en.ts';
import { Avatar } from '../../../platform/ui/components/avatar.tsx';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Choices } from '../../../platform/ui/components/choices.tsx';
import { Banner } from '../../../platform/ui/components/feedback.tsx';
import { SelectField, TextField } from '../../../platform/ui/components/form.tsx';
import { Menu } from '../../../platform/ui/components/overlay.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { doneNotice } from '../components/notices.tsx';
import { ActionButton, ConsoleForm, WordForm } from '../components/console-form.tsx';
import { DrawerItem } from '../components/drawer-link.tsx';
import { FormAbout } from '../components/form-about.tsx';
import { formPage } from '../components/form-page.tsx';
import { withQuery } from '../components/navigation.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { UserNames } from '../people/user-names.ts';
import { inboxPath, threadPath } from './contact-paths.ts';
import { type Admin, statusBadge } from './inbox-page.tsx';
import { texts } from './texts/en.ts';

export interface ThreadView {
  thread: ContactThread;
  names: UserNames;
  admins: readonly Admin[];
  savedReplies: readonly { id: string; name: string; text: string }[];
  /** The text of the reply so far. */
  draft: string;
  hasEmail: boolean;
  /** The mailbox that answers to replies go to. */
  answersTo: string | undefined;
}

const { thread: text } = texts;
const fieldId = 'reply-text';

/** Programs may send other topics than those of the form. */
const topicNames: Readonly<Record<string, string>> = words.topics;

/** A stranger's or an admin's text: never a link, with its line breaks. */
const Words = ({ of }: { of: string }): Html => (
  <p class="message-text" dir="auto" safe>
    {of}
  </p>
);

/** Who wrote, from where, and what is known of it. */
function factsCard({ thread: { message } }: ThreadView): Html {
  const { name, email, topic, network, proof, spam_reason: spam } = message;
  return (
    <Card id="facts" title={text.facts}>
      <Facts
        facts={[
          { name: text.from, value: <bdi safe>{name}</bdi> },
          { name: text.address, value: <bdi safe>{email}</bdi> },
          topic === ''
            ? undefined
            : { name: text.topic, value: <bdi safe>{topicNames[topic] ?? topic}</bdi> },
          { name: text.check, value: escapeHtml(text.checks[proof]) },
          network === null ? undefined : { name: text.network, value: escapeHtml(network) },
          spam === null
            ? undefined
            : { name: text.spam, value: escapeHtml(words.messages.values.spam_reason[spam]) },
        ]}
      />
    </Card>
  );
}

const titleOf = ({ subject }: ContactThread['message']): string =>
  subject === '' ? texts.inbox.noSubject : subject;

type Entry = ({ kind: 'reply' } & ContactReplyView) | ({ kind: 'note' } & ContactNoteView);

const entriesOf = ({ replies, notes }: ContactThread): Entry[] =>
  [
    ...replies.map((reply) => ({ kind: 'reply' as const, ...reply })),
    ...notes.map((note) => ({ kind: 'note' as const, ...note })),
  ].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));

function entry(each: Entry, names: UserNames): Html {
  const author =
    each.author_kind === 'api_key' ? text.apiKey : (names.get(each.author_id) ?? text.formerAdmin);
  const isReply = each.kind === 'reply';
  return (
    <article class={isReply ? 'message-entry message-reply' : 'message-entry message-note'}>
      <Avatar name={author} />
      <div>
        <h3 safe>{isReply ? text.reply({ author }) : text.note({ author })}</h3>
        <p class="hint">
          <Time at={each.created_at} />
          {each.kind === 'reply' && escapeHtml(` · ${text.deliveries[each.delivery]}`)}
        </p>
        <Words of={each.text} />
      </div>
    </article>
  );
}

/** The message and what was said since, oldest first. */
function conversationCard({ thread, names }: ThreadView): Html {
  const { message } = thread;
  return (
    <Card id="conversation" title={text.conversation}>
      <article class="message-entry">
        <Avatar name={message.name} />
        <div>
          <h3>
            <bdi safe>{message.name}</bdi>
          </h3>
          <p class="hint">
            <Time at={message.created_at} />
          </p>
          <Words of={message.message} />
        </div>
      </article>
      {entriesOf(thread).map((each) => entry(each, names))}
    </Card>
  );
}

/**
 * Saved replies to choose from. The script puts the chosen one into the field; without it, the page
 * is loaded again with its text.
 */
const savedMenu = ({ thread, savedReplies }: ThreadView): Html => (
  <Menu
    id="saved-replies"
    label={text.saved}
    icon="list"
    kind="secondary"
    items={savedReplies.map(({ id, name, text: words }) => (
      <a
        href={`${withQuery(threadPath(thread.message.id), { saved: id })}#reply`}
        data-inserts={fieldId}
        data-text={words}
        safe
      >
        {name}
      </a>
    ))}
  />
);

/** Whether the text is for the person who wrote, or for other admins. */
const kindChoice = (): Html => (
  <Choices
    name="kind"
    legend={text.kind}
    isLegendHidden
    look="chips"
    value="reply"
    choices={[
      { value: 'reply', label: text.answer, icon: 'mail' },
      { value: 'note', label: text.noteText, icon: 'edit' },
    ]}
  />
);

/** The buttons of replies, and the one of notes: the style sheet shows those of the choice. */
function answerForm({ thread: { message }, draft, answersTo }: ThreadView): Html {
  const path = threadPath(message.id);
  const forReply = { 'data-for': 'reply' };
  return (
    <ConsoleForm
      action={`${path}/reply`}
      submit={{ label: text.send, icon: 'mail', attributes: forReply }}
      otherButtons={
        <>
          <Button
            label={text.sendAndClose}
            attributes={{ ...forReply, name: 'close', value: 'true' }}
          />
          <Button
            label={text.addNote}
            kind="primary"
            attributes={{ formaction: `${path}/note`, 'data-for': 'note' }}
          />
        </>
      }
    >
      <TextField
        id={fieldId}
        name="text"
        label={text.text}
        isLabelHidden
        rows={7}
        maxLength={10_000}
        value={draft}
        isRequired
      />
      <p class="hint" data-for="reply" safe>
        {answersTo === undefined
          ? text.to({ email: message.email })
          : text.toAndBack({ email: message.email, answersTo })}
      </p>
      <p class="hint" data-for="note" safe>
        {text.noteHint}
      </p>
    </ConsoleForm>
  );
}

/** One box for both: a reply to the person, or a note to other admins. */
const replyCard = (view: ThreadView): Html => (
  <section class="tile answer" id="reply" aria-label={text.kind}>
    {!view.hasEmail && <Banner text={text.noEmail} tone="warn" />}
    <div class="answer-head">
      {kindChoice()}
      {view.savedReplies.length > 0 && savedMenu(view)}
    </div>
    {answerForm(view)}
  </section>
);

const nextStatuses = ['open', 'closed', 'spam', 'new'] as const satisfies readonly ContactStatus[];

function stateCard({ thread: { message }, admins }: ThreadView): Html {
  const path = threadPath(message.id);
  return (
    <Card id="state" title={text.status}>
      <div class="btn-row">
        {nextStatuses
          .filter((status) => status !== message.status)
          .map((status) => (
            <ActionButton
              action={`${path}/status`}
              values={{ status }}
              label={text.setStatus[status]}
            />
          ))}
      </div>
      <ConsoleForm
        action={`${path}/assign`}
        isInline
        submit={{ label: text.assign, kind: 'secondary' }}
      >
        <SelectField
          id="assignee"
          name="assignee_id"
          label={texts.inbox.assignee}
          options={[['', texts.inbox.nobody], ...admins]}
          value={message.assignee_id ?? ''}
        />
      </ConsoleForm>
    </Card>
  );
}

/** A message with its replies and notes, and forms for everything that can be done with it. */
export function threadPage(view: ThreadView, done: string | undefined): ConsolePage {
  const { replied, noted, updated } = texts.notices;
  const { message } = view.thread;
  return {
    section: 'contact',
    title: titleOf(message),
    breadcrumbs: [{ href: inboxPath, text: texts.inbox.title }],
    notice: doneNotice({ replied, noted, updated }, done),
    state: statusBadge(message.status),
    actions: (
      <Menu
        id="thread-menu"
        label={texts.thread.more}
        isIconOnly
        items={[
          <DrawerItem
            label={texts.thread.delete}
            icon="trash"
            href={`${threadPath(message.id)}/delete`}
          />,
        ]}
      />
    ),
    lead: (
      <>
        <bdi safe>{message.name}</bdi>
        {' · '}
        <Time at={message.created_at} />
      </>
    ),
    body: (
      <div class="thread">
        <div>
          {conversationCard(view)}
          {replyCard(view)}
        </div>
        <div>
          {stateCard(view)}
          {factsCard(view)}
        </div>
      </div>
    ),
  };
}

/** The form that deletes a message with its replies and notes. */
export const deleteThreadPage = (message: ContactThread['message']): ConsolePage =>
  formPage({
    section: 'contact',
    title: texts.thread.deleteTitle,
    breadcrumbs: [
      { href: inboxPath, text: texts.inbox.title },
      { href: threadPath(message.id), text: titleOf(message) },
    ],
    about: (
      <FormAbout
        title={titleOf(message)}
        picture={<Avatar name={message.name} />}
        detail={`${message.name} · ${message.email}`}
        facts={[{ name: texts.inbox.columns.at, value: <Time at={message.created_at} /> }]}
      />
    ),
    children: (
      <WordForm
        id="confirm-delete"
        action={`${threadPath(message.id)}/delete`}
        word={texts.thread.word}
        points={texts.thread.deletePoints}
        warning={texts.thread.deleteWarning}
        submit={texts.thread.delete}
        cancel={threadPath(message.id)}
      />
    ),
  });
