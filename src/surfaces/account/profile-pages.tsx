import { hasAnyRole } from '../../lib/access.ts';
import { consolePath } from '../../lib/site-paths.ts';
import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { Avatar } from '../../platform/ui/components/avatar.tsx';
import { Button } from '../../platform/ui/components/button.tsx';
import { Field, Form, SelectField } from '../../platform/ui/components/form.tsx';
import { Facts } from '../../platform/ui/components/table.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import type { AccountView } from './account.ts';
import { buttonForm, cancelLink } from './fields.tsx';
import type { ProfileForm } from './schemas.ts';
import { texts } from './texts/en.ts';

/** The profile, and links to change it. */
export function profilePart({ session: { user }, profile, picture }: AccountView): Html {
  const { profile: text } = texts;
  const facts = [
    [text.name, profile.name],
    [text.email, profile.email],
    [text.phone, profile.phone_number],
    [text.language, profile.locale],
    [text.timeZone, profile.zoneinfo],
  ] as const;
  const shownName = profile.name ?? profile.email ?? profile.phone_number ?? profile.id;
  return (
    <>
      <h2>
        <Avatar name={shownName} picture={picture} /> {escapeHtml(text.title)}
      </h2>
      <Facts
        facts={facts.map(([name, value]) => ({ name, value: escapeHtml(value ?? text.none) }))}
      />
      <div class="btn-row">
        {hasAnyRole(user.roles) ? (
          <Button label={text.openConsole} icon="overview" href={consolePath} />
        ) : undefined}
        <Button label={text.edit} icon="edit" href="/account/profile" />
        <Button
          label={profile.email === null ? text.addEmail : text.changeEmail}
          icon="mail"
          href="/account/email"
        />
        <Button
          label={profile.phone_number === null ? text.addPhone : text.changePhone}
          icon="phone"
          href="/account/phone"
        />
        {buttonForm('/account/sign-out', text.signOut)}
      </div>
    </>
  );
}

/** The picture, and the form to upload one. */
export function picturePart({ profile }: AccountView): Html {
  const { picture } = texts;
  return (
    <>
      <h3 safe>{picture.title}</h3>
      <p safe>{profile.picture === null ? picture.none : picture.some}</p>
      <Form
        action="/account/picture"
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
      {profile.picture === null ? undefined : buttonForm('/account/picture/remove', picture.remove)}
    </>
  );
}

const zones = (current: string): string[] => {
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')];
  return current === '' || all.includes(current) ? all : [current, ...all];
};

export type ProfileField = keyof ProfileForm;

/** The form of the profile. `wrong` are the fields that were not accepted. */
export function editProfilePage(
  { name, locale, zoneinfo }: ProfileForm,
  wrong: readonly ProfileField[] = [],
): Page {
  const { editProfile: text, profile } = texts;
  const errorOf = (field: ProfileField) => (wrong.includes(field) ? text.errors[field] : undefined);
  const body = (
    <>
      <Form action="/account/profile" submit={{ label: text.save }}>
        <Field
          id="name"
          label={profile.name}
          hint={text.nameHint}
          value={name}
          maxLength={100}
          error={errorOf('name')}
          attributes={{ autocomplete: 'name' }}
        />
        <Field
          id="locale"
          label={profile.language}
          hint={text.languageHint}
          value={locale}
          maxLength={35}
          error={errorOf('locale')}
          attributes={{ list: 'locales', autocapitalize: 'none', spellcheck: 'false' }}
        />
        <datalist id="locales">
          <option value="en" safe>
            {text.english}
          </option>
        </datalist>
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
      {cancelLink(text.cancel)}
    </>
  );
  return { title: text.title, isError: wrong.length > 0, body };
}
