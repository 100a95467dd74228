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
import { Banner } from '../../../platform/ui/components/feedback.tsx';
import { Form, SelectField, TextField } from '../../../platform/ui/components/form.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { doneNotice } from '../components/notices.tsx';
import { ActionButton, ConfirmForm, ConsoleForm } from '../components/console-form.tsx';
import { DrawerLink } from '../components/drawer-link.tsx';
import { formPage } from '../components/form-page.tsx';
import type { ConsolePage } from '../layout.tsx';
import type { UserNames } from '../people/user-names.ts';
import { inboxPath, threadPath } from './contact-paths.ts';
import { type Admin, statusBadge } from './inbox-page.tsx';
import { texts } from './texts/en.ts';

export interface ThreadView {
  thread: ContactThread;
  names: UserNames;
  admins: readonly Admin[];
  savedReplies: readonly { id: string; name: string }[];
  /** The text of the reply so far. */
  draft: string;
  hasEmail: boolean;
  /** The mailbox that answers to replies go to. */
  answersTo: string | undefined;
}

const { thread: text } = texts;

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
          { name: text.received, value: <Time at={message.created_at} /> },
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

/** Inserts a saved reply by loading the page again, which works without JavaScript. */
const insertForm = ({ thread, savedReplies }: ThreadView): Html => (
  <Form
    method="get"
    isInline
    action={`${threadPath(thread.message.id)}#reply`}
    submit={{ label: text.insert, kind: 'secondary' }}
  >
    <SelectField
      id="saved"
      label={text.saved}
      isLabelHidden
      options={savedReplies.map(({ id, name }) => [id, name] as const)}
    />
  </Form>
);

function replyCard(view: ThreadView): Html {
  const { message } = view.thread;
  const { answersTo } = view;
  return (
    <Card
      id="reply"
      title={text.answer}
      actions={view.savedReplies.length > 0 ? insertForm(view) : undefined}
    >
      {!view.hasEmail && <Banner text={text.noEmail} tone="warn" />}
      <ConsoleForm
        action={`${threadPath(message.id)}/reply`}
        submit={{ label: text.send }}
        otherButtons={
          <Button label={text.sendAndClose} attributes={{ name: 'close', value: 'true' }} />
        }
        note={answersTo === undefined ? undefined : text.answersGoTo({ email: answersTo })}
      >
        <TextField
          id="reply-text"
          name="text"
          label={text.text({ email: message.email })}
          rows={8}
          maxLength={10_000}
          value={view.draft}
          isRequired
        />
      </ConsoleForm>
    </Card>
  );
}

/** The page of the form for a note. */
export const notePage = ({ message }: ContactThread): ConsolePage =>
  formPage({
    section: 'contact',
    title: text.addNote,
    breadcrumbs: [
      { href: inboxPath, text: texts.inbox.title },
      { href: threadPath(message.id), text: titleOf(message) },
    ],
    children: (
      <ConsoleForm action={`${threadPath(message.id)}/note`} submit={{ label: text.saveNote }}>
        <TextField
          id="note-text"
          name="text"
          label={text.noteText}
          hint={text.noteHint}
          rows={6}
          maxLength={5000}
          isRequired
        />
      </ConsoleForm>
    ),
  });

const nextStatuses = ['open', 'closed', 'spam', 'new'] as const satisfies readonly ContactStatus[];

function stateCard({ thread: { message }, admins }: ThreadView): Html {
  const path = threadPath(message.id);
  return (
    <Card id="state" title={text.status} actions={statusBadge(message.status)}>
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
      <ConfirmForm
        id="confirm-delete"
        action={`${path}/delete`}
        open={text.delete}
        word={text.word}
        warning={texts.confirm.warning}
        submit={text.delete}
      />
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
    actions: (
      <DrawerLink label={text.addNote} href={`${threadPath(message.id)}/note`} icon="plus" />
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
