import type { Html } from '../../lib/text/html.ts';
import { rich } from '../../lib/text/rich.ts';
import { Banner } from '../../platform/ui/components/feedback.tsx';
import { Time } from '../../platform/ui/time.tsx';
import type { AccountView } from './account.ts';
import { buttonForm } from './fields.tsx';
import { texts } from './texts/en.ts';

/** Says at the top of the page that the account will be deleted. */
export function deletionBanner({ profile: { deletion_due_at: due } }: AccountView): Html {
  if (due === null) return <></>;
  const { deletion } = texts;
  const content = <>{rich(deletion.due, { date: () => <Time at={due} /> })}</>;
  return (
    <Banner
      text={deletion.title}
      content={content}
      tone="warn"
      action={buttonForm('/account/keep', deletion.keep)}
    />
  );
}
