import type { Html } from '../../../../lib/text/html.ts';

/** Of the list, for the `list` attribute of a field. */
export const timeZonesId = 'time-zones';

/** The time zones that a field suggests. */
export const timeZones = (): Html => (
  <datalist id={timeZonesId}>
    {Intl.supportedValuesOf('timeZone').map((zone) => (
      <option value={zone}></option>
    ))}
  </datalist>
);
