import { jsonBytes } from '../page/device-key.ts';

/**
 * Coarse properties of the browser, without canvas or timing fingerprints. The server stores only a
 * keyed hash of them, and no decision depends on it.
 */
export async function readTraits() {
  const { platform, language } = navigator;
  const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions();
  const { width: w, height: h } = screen;
  const traits = {
    platform,
    language,
    timezone,
    screen: { w, h, dpr: devicePixelRatio },
    hardware_concurrency: navigator.hardwareConcurrency,
    device_memory: 'deviceMemory' in navigator ? navigator.deviceMemory : undefined,
    touch: navigator.maxTouchPoints,
  };
  // Elsewhere than on HTTPS and localhost, browsers have no SHA-256.
  const hash = isSecureContext
    ? await crypto.subtle.digest('SHA-256', jsonBytes(traits))
    : new ArrayBuffer(1);
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  return { ...traits, fingerprint: [...new Uint8Array(hash)].map(hex).join('') };
}
