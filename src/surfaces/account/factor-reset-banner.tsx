import type { Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { AccountView } from './account.ts';
import { buttonForm } from './fields.tsx';
import { texts } from './texts/en.ts';

/** Says at the top of the page that admins are about to remove the second factors. */
export function factorResetBanner({ reset }: AccountView): Html | undefined {
  if (reset?.state !== 'requested' && reset?.state !== 'approved') return undefined;
  const { requested, approved, cancel } = texts.factorReset;
  const { due_at: due } = reset;
  return (
    <Banner
      text={requested}
      content={due === null ? undefined : rich(approved, { time: () => <Time at={due} /> })}
      tone="warn"
      action={buttonForm('/account/factor-reset/cancel', cancel)}
    />
  );
}
