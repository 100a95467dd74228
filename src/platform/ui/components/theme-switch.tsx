import { themeFormPath } from '../../../lib/site-paths.ts';
import { type Html } from '../../../lib/text/html.ts';
import type { IconName } from '../icon.tsx';
import { texts } from '../texts/en.ts';
import type { Theme } from '../theme.ts';
import { Button } from './button.tsx';

const choices: readonly (readonly [Theme, IconName])[] = [
  ['system', 'monitor'],
  ['light', 'sun'],
  ['dark', 'moon'],
];

export interface ThemeSwitchOptions {
  /** The path to come back to. Default: the page that sent the form (`Referer`). */
  returnTo?: string | undefined;
}

/** Three buttons that choose light, dark or what the device uses. It works without JavaScript. */
export const ThemeSwitch = ({ returnTo }: ThemeSwitchOptions): Html => (
  <form class="theme-switch" method="post" action={themeFormPath} aria-label={texts.theme.label}>
    {returnTo !== undefined && <input type="hidden" name="return_to" value={returnTo} />}
    {choices.map(([theme, icon]) => (
      <Button
        label={texts.theme[theme]}
        icon={icon}
        kind="ghost"
        size="small"
        isIconOnly
        attributes={{ name: 'theme', value: theme, title: texts.theme[theme] }}
      />
    ))}
  </form>
);
