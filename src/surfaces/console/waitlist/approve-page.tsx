import type { ApproveBody } from '../../../areas/waitlist/entries/schemas.ts';
import { drafts } from '../../../areas/comms/templates/drafts.ts';
import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { Disclosure } from '../../../platform/ui/components/overlay.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { formPage } from '../components/form-page.tsx';
import type { ConsolePage } from '../layout.tsx';
import { Person } from '../people/person.tsx';
import { texts } from './texts/en.ts';
import { home, type NextPerson } from './waitlist-page.tsx';

export interface ApprovePreview {
  /** The next people in line. */
  people: readonly NextPerson[];
  /** How many are left out, because their mailbox is disposable. */
  leftOut: number;
  /** What is sent: their ids, or how many. */
  body: ApproveBody;
  /** The name of the service, as the mail has it. */
  app: string;
}

const words = texts.confirm;
const shownPeople = 5;

/** What the mail says. Its links are each person's own, and stand here as words. */
function mailPreview(app: string): Html {
  const { mail } = drafts.waitlist_invitation({ url: '/', unsubscribe: '/', sender: app }, app);
  return (
    <Disclosure summary={words.preview}>
      <div class="mail-preview">
        <p class="hint" safe>
          {`${words.subject}: ${mail.subject}`}
        </p>
        <p>
          <strong>{escapeHtml(mail.title)}</strong>
        </p>
        {mail.blocks.map((block) => (
          <p>
            {block.kind === 'text' && escapeHtml(block.text)}
            {block.kind === 'button' && <span class="btn">{escapeHtml(block.label)}</span>}
          </p>
        ))}
      </div>
    </Disclosure>
  );
}

/** Who gets an email, before it is sent. */
export function approvePage({ people, leftOut, body, app }: ApprovePreview): ConsolePage {
  const count = people.length;
  const shown = people.slice(0, shownPeople);
  return formPage({
    section: 'waitlist',
    title: words.title({ count }),
    breadcrumbs: [{ href: home, text: texts.title }],
    children:
      count === 0 ? (
        <p safe>{texts.next.none}</p>
      ) : (
        <ConsoleForm
          action={`${home}/approve`}
          values={'next' in body ? { next: String(count) } : { 'person[]': body.ids }}
          submit={{ label: words.submit({ count }), icon: 'mail' }}
          cancel={home}
        >
          <p>
            <strong>{escapeHtml(words.mails({ count }))}</strong>{' '}
            {leftOut > 0 && escapeHtml(words.leftOut({ count: leftOut }))}
          </p>
          <ul class="notes">
            {shown.map(({ id, name, email }) => (
              <li>
                <Person
                  name={name ?? email}
                  detail={name === null ? undefined : email}
                  href={`${home}/${id}`}
                />
              </li>
            ))}
          </ul>
          {count > shownPeople && (
            <p class="hint" safe>
              {words.more({ count: count - shownPeople })}
            </p>
          )}
          {mailPreview(app)}
        </ConsoleForm>
      ),
  });
}
