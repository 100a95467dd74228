import { escapeHtml, type Content, type Html } from '../../../lib/text/html.ts';
import type { User } from '../../../areas/identity/users/model.ts';
import { Avatar } from '../../../platform/ui/components/avatar.tsx';
import { addressOf, nameOf, userPath } from './labels.tsx';

/** The picture that a person has uploaded; the browser loads none of other services. */
export const pictureOf = ({ picture }: Pick<User, 'picture'>): string | undefined =>
  picture?.startsWith('/') === true && !picture.startsWith('//') ? picture : undefined;

export interface PersonOptions {
  /** Display name. */
  name: string;
  href?: string | undefined;
  picture?: string | undefined;
  /** The second line, such as an address. */
  detail?: string | undefined;
  /** Beside the name, such as a badge. */
  children?: Content;
  /** The id of the name, for what describes it. */
  id?: string | undefined;
}

/** A person in a list: picture or initials, name, and a line about them. */
export const Person = ({ name, href, picture, detail, children, id }: PersonOptions): Html => (
  <div class="person">
    <Avatar name={name} picture={picture} />
    <div>
      {href === undefined ? (
        <span id={id}>{escapeHtml(name)}</span>
      ) : (
        <a href={href} id={id}>
          {escapeHtml(name)}
        </a>
      )}
      {children}
      {detail !== undefined && <span class="hint">{escapeHtml(detail)}</span>}
    </div>
  </div>
);

/** A user in a list, with a link to their page. */
export function UserCell({
  user,
  children,
}: {
  user: Pick<User, 'id' | 'name' | 'picture' | 'identities'>;
  children?: Content;
}): Html {
  const name = nameOf(user);
  const address = addressOf(user);
  return (
    <Person
      name={name}
      href={userPath(user.id)}
      picture={pictureOf(user)}
      detail={address === name ? undefined : address}
      id={`user-${user.id}`}
    >
      {children}
    </Person>
  );
}
