import type { LogoView } from '../../../../areas/qr/pictures/schemas.ts';
import type { QrCodeView } from '../../../../areas/qr/schemas.ts';
import type { Html } from '../../../../lib/text/html.ts';
import { Button } from '../../../../platform/ui/components/button.tsx';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { EmptyState } from '../../../../platform/ui/components/feedback.tsx';
import { CheckField, FieldSet } from '../../../../platform/ui/components/form.tsx';
import { ConsoleForm } from '../../components/console-form.tsx';
import { texts } from '../texts/en.ts';
import { LogoPicture, logoSize, logosPath } from './logo-picture.tsx';

const words = texts.codeLogo;
const maxChoices = 12;

/** The newest logos, and the one that the code has. */
const choicesOf = (logos: readonly LogoView[], current: string | null): readonly LogoView[] =>
  logos.filter(({ id }, at) => at < maxChoices || id === current);

const choice = (logo: LogoView, isChecked: boolean): Html => (
  <CheckField
    id={`logo-${logo.id}`}
    name="logo"
    type="radio"
    value={logo.id}
    label={texts.logos.picture({ size: logoSize(logo) })}
    content={<LogoPicture {...logo} />}
    isChecked={isChecked}
  />
);

const choices = ({ id, style }: QrCodeView, logos: readonly LogoView[]): Html => (
  <ConsoleForm
    action={`${logosPath}/choose`}
    values={{ id }}
    submit={{ label: words.submit, kind: 'secondary' }}
  >
    <FieldSet legend={words.legend}>
      <div class="logo-choices">
        <CheckField
          id="no-logo"
          name="logo"
          type="radio"
          value=""
          label={words.none}
          isChecked={style.logo === null}
        />
        {choicesOf(logos, style.logo).map((logo) => choice(logo, logo.id === style.logo))}
      </div>
    </FieldSet>
  </ConsoleForm>
);

/** A form to choose the logo of a code. */
export function codeLogoCard(code: QrCodeView, logos: readonly LogoView[]): Html {
  const manage = <Button label={words.manage} href={logosPath} size="small" />;
  return (
    <Card id="logo" title={words.title} hint={words.hint} actions={manage}>
      {logos.length === 0 ? <EmptyState icon="qr" text={texts.logos.none} /> : choices(code, logos)}
    </Card>
  );
}
