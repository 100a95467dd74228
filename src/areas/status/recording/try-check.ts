import type { CreateComponentBody } from '../components/schemas.ts';
import { mergeSettings } from '../components/service.ts';
import { defaultSettings } from '../components/store.ts';
import { probe, type ProbeResult } from './probe.ts';

/** Checks the target of a component once; nothing is stored. Takes up to its timeout. */
export const tryCheck = ({ source, target, settings }: CreateComponentBody): Promise<ProbeResult> =>
  probe({ source, target, settings: mergeSettings(defaultSettings, settings) });
