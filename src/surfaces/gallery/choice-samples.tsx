import type { Html } from '../../lib/text/html.ts';
import { Button } from '../../platform/ui/components/button.tsx';
import { Choices, ColorInput } from '../../platform/ui/components/choices.tsx';
import { FileDrop } from '../../platform/ui/components/file-drop.tsx';
import { Field } from '../../platform/ui/components/form.tsx';
import { Preview, SplitForm } from '../../platform/ui/components/split-form.tsx';
import { Switch } from '../../platform/ui/components/switch.tsx';

const square = (color: string): Html => (
  <svg class="color-dot" viewBox="0 0 24 24" aria-hidden="true">
    <circle cx="12" cy="12" r="11" fill={color} />
  </svg>
);

/** What people choose by what it looks like, and see at once. */
export const choiceSamples = (path: string): Html => (
  <SplitForm
    action={path}
    sideLabel="Preview of a sample"
    side={
      <>
        <Preview
          id="sample-preview"
          picture={undefined}
          alt=""
          verdict="Reads well · contrast 21 : 1"
          tone="ok"
        />
        <Button label="Create" kind="primary" size="large" />
      </>
    }
  >
    <Choices
      name="sample-kind"
      legend="Kind"
      look="chips"
      value="link"
      choices={[
        { value: 'link', label: 'Link', icon: 'link' },
        { value: 'mail', label: 'Email', icon: 'mail' },
      ]}
    />
    <Field id="sample-link" label="Link" value="example.com" />
    <Choices
      name="sample-color"
      legend="Color"
      look="dots"
      value="black"
      choices={[
        { value: 'black', label: 'Black', face: square('#000000') },
        { value: 'blue', label: 'Blue', face: square('#1d4ed8') },
        {
          value: 'own',
          label: 'Your own color',
          face: square('#7c3aed'),
          extra: <ColorInput name="sample-own" label="Your own color" value="#7c3aed" />,
        },
      ]}
    />
    <FileDrop
      id="sample-file"
      name="sample-file"
      label="Drop a picture here, or choose a file"
      accept="image/png"
    />
    <Switch name="Code" label="Active" isOn />
  </SplitForm>
);
