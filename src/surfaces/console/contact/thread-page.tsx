import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import type {
  ContactNoteView,
  ContactReplyView,
  ContactThread,
} from '../../../areas/contact/schemas.ts';
import type { ContactStatus } from '../../../areas/contact/statuses.ts';
import { texts as words } from '../../../areas/contact/texts/en.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Banner } from '../../../platform/ui/components/feedback.tsx';
import { Form, SelectField, TextField } from '../../../platform/ui/components/form.tsx';
import { Facts } from '../../../platform/ui/components/table.tsx';
import { Time } from '../../../platform/ui/time.tsx';
import { doneNotice } from '../components/notices.tsx';
import { ActionButton, ConfirmForm, ConsoleForm } from '../components/console-form.tsx';
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

function messageCard({ thread: { message } }: ThreadView): Html {
  const { name, email, topic, network, proof, spam_reason: spam } = message;
  return (
    <Card id="message" title={text.message}>
      <Facts
        facts={[
          { name: text.from, value: <bdi safe>{`${name}, ${email}`}</bdi> },
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
      <Words of={message.message} />
    </Card>
  );
}

type Entry = ({ kind: 'reply' } & ContactReplyView) | ({ kind: 'note' } & ContactNoteView);

const entriesOf = ({ replies, notes }: ContactThread): Entry[] =>
  [
    ...replies.map((reply) => ({ kind: 'reply' as const, ...reply })),
    ...notes.map((note) => ({ kind: 'note' as const, ...note })),
  ].sort((a, b) => (a.created_at < b.created_at ? -1 : 1));

function entry(each: Entry, names: UserNames): Html {
  const author =
    each.author_kind === 'api_key' ? text.apiKey : (names.get(each.author_id) ?? each.author_id);
  return (
    <article class="message-entry">
      <h3 safe>{each.kind === 'reply' ? text.reply({ author }) : text.note({ author })}</h3>
      <p class="hint">
        <Time at={each.created_at} />
        {each.kind === 'reply' && escapeHtml(` · ${text.deliveries[each.delivery]}`)}
      </p>
      <Words of={each.text} />
    </article>
  );
}

function conversationCard({ thread, names }: ThreadView): Html {
  const entries = entriesOf(thread);
  return (
    <Card id="conversation" title={text.conversation}>
      {entries.length === 0 ? (
        <p class="hint" safe>
          {text.empty}
        </p>
      ) : (
        entries.map((each) => entry(each, names))
      )}
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
      options={savedReplies.map(({ id, name }) => [id, name] as const)}
    />
  </Form>
);

function replyCard(view: ThreadView): Html {
  const { message } = view.thread;
  return (
    <Card id="reply" title={text.answer} hint={text.replyHint({ email: message.email })}>
      {!view.hasEmail && <Banner text={text.noEmail} tone="warn" />}
      {view.savedReplies.length > 0 && insertForm(view)}
      <ConsoleForm
        action={`${threadPath(message.id)}/reply`}
        submit={{ label: text.send }}
        otherButtons={
          <Button label={text.sendAndClose} attributes={{ name: 'close', value: 'true' }} />
        }
      >
        <TextField
          id="reply-text"
          name="text"
          label={text.text}
          rows={8}
          maxLength={10_000}
          value={view.draft}
          isRequired
        />
      </ConsoleForm>
    </Card>
  );
}

const noteCard = ({ thread: { message } }: ThreadView): Html => (
  <Card id="note" title={text.addNote} hint={text.noteHint}>
    <ConsoleForm
      action={`${threadPath(message.id)}/note`}
      submit={{ label: text.saveNote, kind: 'secondary' }}
    >
      <TextField id="note-text" name="text" label={text.text} maxLength={5000} isRequired />
    </ConsoleForm>
  </Card>
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
    title: message.subject === '' ? texts.inbox.noSubject : message.subject,
    breadcrumbs: [{ href: inboxPath, text: texts.inbox.title }],
    notice: doneNotice({ replied, noted, updated }, done),
    actions: statusBadge(message.status),
    body: (
      <>
        {messageCard(view)}
        {conversationCard(view)}
        {replyCard(view)}
        {noteCard(view)}
        {stateCard(view)}
      </>
    ),
  };
}
