import { escapeHtml, type Html } from '../../../../lib/text/html.ts';
import type { Role } from '../../../../lib/access.ts';
import { UpdateUserBody } from '../../../../areas/identity/directory/schemas.ts';
import type { User } from '../../../../areas/identity/users/model.ts';
import { Banner } from '../../../../platform/ui/components/feedback.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { Points } from '../../components/form-about.tsx';
import { formPage } from '../../components/form-page.tsx';
import { fieldsOf } from '../../forms/schema-fields.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { confirmationOf, nameOf, userPath } from '../labels.tsx';
import { UserCell } from '../person.tsx';
import { texts as consoleTexts } from '../../texts/en.ts';
import { texts } from '../texts/en.ts';
import { userFormPage } from './user-form-page.tsx';

const words = texts.user;

/** How the person is reached, which only they can change. */
function reachedPart({ identities }: User): Html {
  const { reached, reachedHint, noneReached } = words.edit;
  const all = identities.flatMap(({ kind, value }) => (kind === 'idp' ? [] : [value]));
  return (
    <div class="form-field">
      <p class="copy-label" safe>
        {reached}
      </p>
      {(all.length === 0 ? [noneReached] : all).map((value) => (
        <p class="fixed-value" safe>
          {value}
        </p>
      ))}
      <p class="hint" safe>
        {reachedHint}
      </p>
    </div>
  );
}

/** The form for the name, and for the id that another system has for the person. */
export function editPage(user: User, externalId: string | null): ConsolePage {
  const { title, name, externalId: label, externalIdHint, submit } = words.edit;
  const field = fieldsOf(UpdateUserBody, {
    texts: {
      fields: { name, external_id: label },
      hints: { external_id: externalIdHint },
    },
    idPrefix: 'user',
    entry: { name: user.name, external_id: externalId },
  });
  return userFormPage(
    user,
    title({ name: nameOf(user) }),
    <ConsoleForm
      action={`${userPath(user.id)}/edit`}
      submit={{ label: submit }}
      cancel={userPath(user.id)}
    >
      {field('name')}
      {reachedPart(user)}
      {field('external_id')}
    </ConsoleForm>,
  );
}

/** What a role lets a person do, before it is given. */
export function giveRolePage(user: User, role: Role): ConsolePage {
  const { makeTitle, can, limits, make, approval, undo } = words.roles;
  return userFormPage(
    user,
    makeTitle[role]({ name: nameOf(user) }),
    <ConsoleForm
      action={`${userPath(user.id)}/roles/give`}
      values={{ role }}
      submit={{ label: make[role] }}
      cancel={userPath(user.id)}
    >
      <p>{escapeHtml(can[role].lead)}</p>
      <Points items={can[role].list} />
      {limits[role] !== undefined && <p>{escapeHtml(limits[role])}</p>}
      <p class="hint">{escapeHtml(`${approval} ${undo}`)}</p>
    </ConsoleForm>,
  );
}

/** What a person loses with a role, before it is removed. */
export function takeRolePage(user: User, role: Role, isAdminByConfig: boolean): ConsolePage {
  const { removeTitle, remove, removeWarning, configuredWarning, undo } = words.roles;
  const isRestored = role === 'admin' && isAdminByConfig;
  return userFormPage(
    user,
    removeTitle[role]({ name: nameOf(user) }),
    <ConsoleForm
      action={`${userPath(user.id)}/roles/take`}
      values={{ role }}
      submit={{ label: remove[role] }}
      cancel={userPath(user.id)}
    >
      {isRestored && <Banner text={configuredWarning} tone="warn" />}
      <Points items={isRestored ? [removeWarning] : [removeWarning, undo]} />
    </ConsoleForm>,
  );
}

/** How many sessions and devices a person has. */
export interface Lost {
  sessions: number;
  devices: number;
}

/** What a suspended person loses. */
export function suspendPage(user: User, { sessions, devices }: Lost): ConsolePage {
  const { title, lead, submit, data, ...counted } = words.suspend;
  const name = nameOf(user);
  return userFormPage(
    user,
    title({ name }),
    <ConsoleForm
      action={`${userPath(user.id)}/disable`}
      submit={{ label: submit }}
      cancel={userPath(user.id)}
    >
      <Points
        items={[
          lead({ name }),
          counted.sessions({ count: sessions }),
          ...(devices === 0 ? [] : [counted.devices({ count: devices })]),
          data,
        ]}
      />
    </ConsoleForm>,
  );
}

/** What is lost with an account. Asks for the address, because deletion can't be undone. */
export function deletePage(user: User, lost: Lost): ConsolePage {
  const { title, lead, account, stays, warning, submit, ...counted } = words.delete;
  const word = confirmationOf(user);
  return userFormPage(
    user,
    title({ name: nameOf(user) }),
    <ConsoleForm
      action={`${userPath(user.id)}/delete`}
      submit={{ label: submit, kind: 'danger' }}
      cancel={userPath(user.id)}
    >
      <p>{escapeHtml(lead)}</p>
      <Points
        items={[
          account,
          counted.sessions({ count: lost.sessions }),
          ...(lost.devices === 0 ? [] : [counted.devices({ count: lost.devices })]),
        ]}
      />
      <p class="hint" safe>
        {stays}
      </p>
      <Field
        id="delete-confirm"
        name="confirm"
        label={consoleTexts.confirm.label({ word })}
        hint={warning}
        maxLength={300}
        isRequired
        attributes={{ pattern: word.replace(/[^\w ]/gu, '.'), title: word }}
      />
    </ConsoleForm>,
  );
}

/** What several people lose who are suspended together. */
export function bulkSuspendPage(users: readonly User[], withOwn: boolean): ConsolePage {
  const { suspendTitle, suspendSubmit, leftOut } = texts.users.bulk;
  const count = users.length;
  return formPage({
    section: 'users',
    title: suspendTitle({ count }),
    breadcrumbs: [{ href: sectionPath('users'), text: texts.users.title }],
    children: (
      <ConsoleForm
        action={`${sectionPath('users')}/bulk`}
        values={{ action: 'suspend', confirmed: 'true', 'user[]': users.map(({ id }) => id) }}
        submit={{ label: suspendSubmit({ count }) }}
      >
        {users.map((user) => (
          <p>
            <UserCell user={user} />
          </p>
        ))}
        <Points items={[texts.users.bulk.consequence, ...(withOwn ? [leftOut] : [])]} />
      </ConsoleForm>
    ),
  });
}
