import { escapeHtml, type Html } from '../../../lib/text/html.ts';
import { rich } from '../../../lib/text/rich.ts';
import { accountPath } from '../../../lib/site-paths.ts';
import type { Page } from '../../../platform/ui/pages.tsx';
import { Form } from '../../../platform/ui/components/form.tsx';
import type { Offer } from './acceptance.ts';
import { texts } from './texts/en.ts';

const strong = (text: string) => (): Html => <strong safe>{text}</strong>;

function notePart(note: string | null): Html | undefined {
  if (note === null) return undefined;
  return (
    <>
      <p safe>{texts.accept.note}</p>
      <blockquote class="note">
        {note.split(/\n+/).map((line) => (
          <p safe>{line}</p>
        ))}
      </blockquote>
    </>
  );
}

/** Asks before accepting, because mail scanners follow links but press no buttons. */
export function acceptPage({ email, role, note }: Offer, token: string, app: string): Page {
  const { accept, roles } = texts;
  return {
    title: accept.title({ app }),
    body: (
      <>
        <p>{rich(accept.lead, { email: strong(email) })}</p>
        {role !== null && <p>{escapeHtml(accept.role({ role: roles[role] }))}</p>}
        {notePart(note)}
        <Form
          action="/invitation"
          values={{ token }}
          submit={{ label: accept.submit, size: 'large' }}
        />
      </>
    ),
  };
}

/** Shown when another account is signed in, which the invitation must not be attached to. */
export function otherAccountPage({ email }: Pick<Offer, 'email'>, token: string): Page {
  const { other } = texts;
  return {
    title: other.title,
    isError: true,
    body: (
      <>
        <p>{rich(other.lead, { email: strong(email) })}</p>
        <Form
          action="/invitation/switch"
          values={{ token }}
          submit={{ label: other.switch({ email }), size: 'large' }}
        />
        <p>
          <a href={accountPath} safe>
            {other.account}
          </a>
        </p>
      </>
    ),
  };
}
