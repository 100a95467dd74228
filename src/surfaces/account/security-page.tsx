import { escapeHtml, type Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import type { PasskeyInfo } from '../../areas/identity/factors/passkeys/service.ts';
import type { SecondFactorStatus } from '../../areas/identity/factors/service.ts';
import { Badge } from '../../platform/ui/components/badge.tsx';
import { Card } from '../../platform/ui/components/card.tsx';
import { Field } from '../../platform/ui/components/form.tsx';
import { Icon } from '../../platform/ui/icon.tsx';
import type { Page } from '../../platform/ui/pages.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { AccountView } from './account.ts';
import { buttonForm } from './fields.tsx';
import { framed } from './framed.tsx';
import { passkeyForm } from './passkey-form.tsx';
import { Row, Rows } from './rows.tsx';
import { texts } from './texts/en.ts';

const fewCodes = 3;

const { app, backupCodes, passkeys, security } = texts;

const on = (): Html => <Badge text={security.on} tone="ok" />;

function appRow({ totp }: SecondFactorStatus): Html {
  const isSetUp = totp?.verified === true;
  return (
    <Row
      mark={<Icon name="devices" />}
      name={app.title}
      state={isSetUp ? on() : undefined}
      details={
        isSetUp
          ? rich(app.isSetUp, { since: () => <Time at={totp.createdAt} /> })
          : escapeHtml(app.none)
      }
      actions={
        isSetUp
          ? buttonForm('/account/totp/remove', app.remove, { isQuiet: true })
          : buttonForm('/account/totp', app.setUp, { isQuiet: true })
      }
    />
  );
}

function countText(count: number): string {
  if (count === 0) return backupCodes.none;
  return count <= fewCodes ? backupCodes.fewLeft({ count }) : backupCodes.left({ count });
}

const codesRow = ({ backupCodes: { left } }: SecondFactorStatus): Html => (
  <Row
    mark={<Icon name="key" />}
    name={backupCodes.title}
    details={escapeHtml(`${countText(left)} ${backupCodes.use}`)}
    actions={buttonForm('/account/backup-codes', backupCodes.create, { isQuiet: true })}
  />
);

function passkeyRow({ id, name, createdAt, lastUsedAt, backedUp }: PasskeyInfo): Html {
  const added = () => <Time at={createdAt} />;
  const times =
    lastUsedAt === null
      ? rich(passkeys.unused, { added })
      : rich(passkeys.used, { added, used: () => <Time at={lastUsedAt} /> });
  return (
    <Row
      id={`passkey-${id}`}
      mark={<Icon name="lock" />}
      name={backedUp ? passkeys.backedUp({ name }) : name}
      details={times}
      actions={buttonForm('/account/passkeys/remove', passkeys.remove, {
        values: { id },
        about: `passkey-${id}`,
        isQuiet: true,
      })}
    />
  );
}

const addPasskeyForm = (origin: string): Html =>
  passkeyForm({
    action: '/account/passkeys',
    kind: 'create',
    options: '/api/auth/2fa/passkeys/options',
    origin,
    button: passkeys.add,
    values: { credential: '' },
    inputs: (
      <Field
        id="passkey-name"
        name="name"
        label={passkeys.name}
        hint={passkeys.nameHint}
        maxLength={64}
      />
    ),
    without: passkeys.withoutScript,
  });

const passkeyCard = ({ factor: { passkeys: all }, passkeyOrigin }: AccountView): Html => (
  <Card
    id="passkeys"
    title={passkeys.title}
    hint={all.length === 0 ? passkeys.none : passkeys.some}
  >
    {all.length === 0 ? undefined : <Rows>{all.map(passkeyRow)}</Rows>}
    {passkeyOrigin === undefined ? (
      <p safe>{passkeys.unavailable}</p>
    ) : (
      addPasskeyForm(passkeyOrigin)
    )}
  </Card>
);

/** The page of the second factors. `done` selects the notice at the top. */
export const securityPage = (view: AccountView, done?: string): Page =>
  framed(view, 'security', done, {
    title: security.title,
    script: 'passkeys.js',
    body: (
      <>
        {passkeyCard(view)}
        <Card id="factors" title={security.factors} hint={security.hint}>
          <Rows>
            {appRow(view.factor)}
            {codesRow(view.factor)}
          </Rows>
        </Card>
      </>
    ),
  });
