import { accountPath } from '../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { Avatar } from '../../platform/ui/components/avatar.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import { Card } from '../../platform/ui/components/card.tsx';
import { Field, Form, SelectField } from '../../platform/ui/components/form.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import type { AccountView } from './account.ts';
import { buttonForm } from './fields.tsx';
import { framed, framedForm } from './framed.tsx';
import { Row, Rows } from './rows.tsx';
import type { ProfileForm } from './schemas.ts';
import { texts } from './texts/en.ts';

const editLink = (label: string, href: string, about: string): Html => (
  <Button
    label={label}
    size="small"
    href={href}
    attributes={{ 'aria-label': texts.profile.change({ label, about }) }}
  />
);

function contactRow(name: string, value: string | null, href: string): Html {
  const { profile: text } = texts;
  return (
    <Row
      name={name}
      details={escapeHtml(value ?? text.none)}
      actions={editLink(value === null ? text.add : text.edit, href, name)}
    />
  );
}

function profileCard({ profile }: AccountView): Html {
  const { profile: text } = texts;
  const zone = profile.zoneinfo?.replaceAll('_', ' ') ?? null;
  return (
    <Card id="profile" title={text.about}>
      <Rows>
        {contactRow(text.name, profile.name, '/account/profile')}
        {contactRow(text.email, profile.email, '/account/email')}
        {contactRow(text.phone, profile.phone_number, '/account/phone')}
        {contactRow(text.timeZone, zone, '/account/profile')}
      </Rows>
    </Card>
  );
}

/** The picture, and the form to upload one. */
function pictureCard({ profile, picture: path }: AccountView): Html {
  const { picture } = texts;
  const shownName = profile.name ?? profile.email ?? profile.phone_number ?? profile.id;
  return (
    <Card
      id="photo"
      title={picture.title}
      hint={profile.picture === null ? picture.none : picture.some}
    >
      <div class="account-picture">
        <Avatar name={shownName} picture={path} size="large" />
        <Form
          action="/account/picture"
          isInline
          submit={{ label: picture.upload, kind: 'secondary', icon: 'upload' }}
          attributes={{ enctype: 'multipart/form-data' }}
        >
          <Field
            id="picture"
            type="file"
            label={picture.label}
            hint={picture.hint}
            isRequired
            attributes={{ accept: 'image/jpeg,image/png,image/webp' }}
          />
        </Form>
        {profile.picture === null
          ? undefined
          : buttonForm('/account/picture/remove', picture.remove)}
      </div>
    </Card>
  );
}

/** The page of the profile. `done` selects the notice at the top. */
export const profilePage = (view: AccountView, done?: string): Page =>
  framed(view, 'profile', done, {
    title: texts.profile.title,
    body: (
      <>
        {profileCard(view)}
        {pictureCard(view)}
      </>
    ),
  });

const zones = (current: string): string[] => {
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return current === '' || all.includes(current) ? all : [current, ...all];
};

export type ProfileField = keyof ProfileForm;

/** The form of the profile. `wrong` are the fields that were not accepted. */
export function editProfilePage(
  view: AccountView,
  { name, zoneinfo }: ProfileForm,
  wrong: readonly ProfileField[] = [],
): Page {
  const { editProfile: text, profile } = texts;
  const errorOf = (field: ProfileField) => (wrong.includes(field) ? text.errors[field] : undefined);
  const body = (
    <Form action="/account/profile" submit={{ label: text.save }} cancel={accountPath}>
      <Field
        id="name"
        label={profile.name}
        hint={text.nameHint}
        value={name}
        maxLength={100}
        error={errorOf('name')}
        attributes={{ autocomplete: 'name' }}
      />
      <SelectField
        id="zoneinfo"
        label={profile.timeZone}
        hint={text.timeZoneHint}
        value={zoneinfo}
        error={errorOf('zoneinfo')}
        options={[
          ['', text.noTimeZone],
          ...zones(zoneinfo).map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
        ]}
      />
    </Form>
  );
  return framedForm(view, 'profile', { title: text.title, isError: wrong.length > 0, body });
}
