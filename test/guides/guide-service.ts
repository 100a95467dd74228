import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { adminKey, freshApp, type FreshAppOptions, type TestApp } from '../support/app.ts';
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
export async function useGuideService({
  own,
  makeFolder = () => mkdtemp(join(tmpdir(), 'guide-')),
}: Options = {}): Promise<GuideService> {
  await requireCurl();
  const folder = await makeFolder();
  const fresh = own && (await freshApp(typeof own === 'function' ? await own() : own));
  await fresh?.services.queues.start();
  const app = fresh ?? (await sharedApp());
  const origin = `http://127.0.0.1:${await listen(app)}`;
  afterAll(async () => {
    await fresh?.close();
    await rm(folder, { recursive: true });
  });
  return {
    app,
    origin,
    folder,
    follow: (guide, options) =>
      follow(guide, { origin, folder, variables: { ADMIN_API_KEY: adminKey }, ...options }),
  };
}
