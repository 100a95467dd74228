import type { Page } from 'playwright-core';
import {
  type BrowserOptions,
  type OpenOptions,
  type TestBrowser,
  useBrowser,
  usePage,
} from '../../support/browser/browser.ts';
import {
  type ServiceOptions,
  type TestService,
  useService,
} from '../../support/browser/service.ts';
import { home } from './pages.ts';

export interface ConsoleBrowser extends Omit<TestBrowser, 'open'> {
  service: TestService;
  /** Opens a page of the console in a context of its own. */
  visit: (path: string, options?: OpenOptions) => Promise<Page>;
  /**
   * Gives the tests of a suite one page of a user, which opens pages of the console. `headers` is
   * called after earlier hooks.
   */
  usePage: (headers: () => Record<string, string>) => (path: string) => Promise<Page>;
}

/** Gives the tests of a suite a service and a browser. Call it before other hooks. */
export function useConsole({
  env = { DEVICE_BINDING: 'none' },
  expected,
  ...settings
}: ServiceOptions & Pick<BrowserOptions, 'expected' | 'mayLeave'> = {}): ConsoleBrowser {
  const { mayLeave, ...serviceSettings } = settings;
  const service = useService({ env, ...serviceSettings });
  const options: BrowserOptions = {
    at: service,
    ...(expected === undefined ? {} : { expected }),
    ...(mayLeave === undefined ? {} : { mayLeave }),
  };
  const { open, newPage, complaints } = useBrowser(options);
  return {
    service,
    newPage,
    complaints,
    visit: (path, settingsOfPage) => open(home + path, settingsOfPage),
    usePage(headers) {
      const page = usePage(options, () => ({ as: headers() }));
      return async (path) => {
        await page().goto(home + path);
        return page();
      };
    },
  };
}
