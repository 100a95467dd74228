import type { Html } from '../../../lib/text/html.ts';
import { Button } from '../../../platform/ui/components/button.tsx';
import { Card } from '../../../platform/ui/components/card.tsx';
import { Field } from '../../../platform/ui/components/form.tsx';
import { Copy } from '../../../platform/ui/components/overlay.tsx';
import type { ConsolePage } from '../layout.tsx';
import { ConsoleForm } from '../components/console-form.tsx';
import { texts as consoleTexts } from '../texts/en.ts';
import { texts } from './texts/en.ts';
import { analyticsPath } from './view-params.ts';

const { noSites } = texts;

const registerForm = (): Html => (
  <ConsoleForm action={`${analyticsPath}/site/register`} submit={{ label: noSites.add }}>
    <Field
      id="new-site"
      name="name"
      label={noSites.name}
      hint={noSites.nameHint}
      maxLength={64}
      isRequired
    />
  </ConsoleForm>
);

/** The page shown while there is no site: how to begin. */
export const noSitesPage = (origin: string, isAdmin: boolean): ConsolePage => ({
  section: 'analytics',
  title: noSites.title,
  every: 3,
  body: (
    <Card id="first-site" title={noSites.heading}>
      {isAdmin && registerForm()}
      <p safe>{isAdmin ? noSites.script : noSites.scriptOnly}</p>
      <p class="hint" safe>
        {noSites.example}
      </p>
      <Copy
        text={`<script defer src="${origin}/svc.min.js" data-site="example.com"></script>`}
        label={consoleTexts.copy}
      />
      <p>
        <Button label={noSites.otherWays} href="/install" />
      </p>
      <div id="begin" data-live>
        <p class="hint" safe>
          {noSites.waiting}
        </p>
      </div>
    </Card>
  ),
});
