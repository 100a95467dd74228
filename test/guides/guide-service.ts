import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import {
  adminKey,
  type FreshApp,
  freshApp,
  type FreshAppOptions,
  type TestApp,
} from '../support/app.ts';
import { sharedApp } from '../support/shared-app.ts';
import { listen } from '../support/sockets.ts';
import { follow, type ReaderOptions, type Reading } from './reader.ts';
import { requireCurl } from './shell.ts';

export interface GuideService {
  readonly app: TestApp;
  readonly origin: string;
  /** Where the shell blocks of guides run. */
  readonly folder: string;
  /** Follows a guide as an admin, unless other variables are given. */
  follow: (guide: string, options?: Partial<ReaderOptions>) => Promise<Reading>;
}

interface Options {
  /** The settings of a service of its own; without them, the file uses the shared one. */
  own?: FreshAppOptions | (() => Promise<FreshAppOptions>);
  makeFolder?: () => Promise<string>;
}

/** Gives the guides of a file or suite a service that listens and runs jobs, and a folder. */
export function useGuideService({
  own,
  makeFolder = () => mkdtemp(join(tmpdir(), 'guide-')),
}: Options = {}): GuideService {
  let app: TestApp | undefined;
  let fresh: FreshApp | undefined;
  let origin = '';
  let folder = '';
  beforeAll(async () => {
    await requireCurl();
    folder = await makeFolder();
    if (own !== undefined) fresh = await freshApp(typeof own === 'function' ? await own() : own);
    await fresh?.services.queues.start();
    app = fresh ?? (await sharedApp());
    origin = `http://127.0.0.1:${await listen(app)}`;
  }, 120_000);
  afterAll(async () => {
    await fresh?.close();
    await rm(folder, { recursive: true });
  });
  return {
    get app() {
      if (app === undefined) throw new Error('the service is there from `beforeAll` on');
      return app;
    },
    get origin() {
      return origin;
    },
    get folder() {
      return folder;
    },
    follow: (guide, options) =>
      follow(guide, { origin, folder, variables: { ADMIN_API_KEY: adminKey }, ...options }),
  };
}
