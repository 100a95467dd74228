import type { Html } from '../../../../lib/text/html.ts';
import { Card } from '../../../../platform/ui/components/card.tsx';
import { Field } from '../../../../platform/ui/components/form.tsx';
import { SaveBar } from '../../components/save-bar.tsx';
import { campaignFields, passwordFields, scheduleFields } from '../contents/condition-fields.tsx';
import { codePath } from '../qr-paths.ts';
import { texts } from '../texts/en.ts';
import type { SettingsView } from './code-view.ts';
import { scheduleLines } from './schedule-lines.ts';

const words = texts.settings;

/** One form for all settings, in cards; those of short links only where there is one. */
export const settingsTab = ({ code, sites }: SettingsView): Html => (
  <form method="post" action={codePath(code.id, 'settings')} class="settings-form" data-send>
    <div class="masonry">
      <Card id="general" title={words.general}>
        <Field
          id="settings-name"
          name="name"
          label={texts.code.name}
          hint={texts.create.nameHint}
          value={code.name}
          isRequired
        />
      </Card>
      {code.dynamic && (
        <>
          <Card
            id="schedule"
            title={texts.create.folds.schedule}
            hint={scheduleLines(code).join(' ')}
          >
            {scheduleFields(code)}
          </Card>
          <Card id="campaign" title={texts.create.folds.campaign} hint={words.campaignHint}>
            {campaignFields(code, sites)}
          </Card>
          <Card
            id="password"
            title={texts.create.folds.password}
            hint={code.has_password ? words.hasPassword : words.noPassword}
          >
            {passwordFields(code)}
          </Card>
        </>
      )}
    </div>
    <SaveBar label={words.submit} note={code.dynamic ? words.saveNote : undefined} />
  </form>
);
