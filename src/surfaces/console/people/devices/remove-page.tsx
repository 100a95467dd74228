import type { Html } from '../../../../lib/text/html.ts';
import type { Device } from '../../../../areas/identity/devices/store.ts';
import { ConsoleForm } from '../../components/console-form.tsx';
import { formPage } from '../../components/form-page.tsx';
import { isReversible } from './device-table.tsx';
import type { ConsolePage } from '../../layout.tsx';
import { sectionPath } from '../../sections.ts';
import { texts } from '../texts/en.ts';

const words = texts.devices.removal;

/** What the owner of a device loses with it. `person`: who owns it, as lists show people. */
export const removePage = (
  { id, name, state }: Pick<Device, 'id' | 'name' | 'state'>,
  person: Html | undefined,
  from: string | undefined,
): ConsolePage =>
  formPage({
    section: 'devices',
    title: words.title({ name }),
    breadcrumbs: [{ href: sectionPath('devices'), text: texts.devices.title }],
    children: (
      <ConsoleForm
        action={`${sectionPath('devices')}/${id}/revoke`}
        values={{ from }}
        submit={{ label: words.submit }}
        cancel={sectionPath('devices')}
      >
        {person}
        <ul class="points">
          <li safe>{words.sessions}</li>
          <li safe>{isReversible({ state }) ? words.reversible : words.final}</li>
          <li safe>{words.again}</li>
        </ul>
      </ConsoleForm>
    ),
  });
