/** The texts that the script adds to every page of the console. */
export const texts = {
  times: {
    useZone: (p: { zone: string }) => `Use ${p.zone}`,
    today: 'Today',
    yesterday: 'Yesterday',
    inZone: (p: { zone: string; utc: string | undefined }) =>
      `Times are in your time zone, ${p.zone}.${p.utc === undefined ? '' : ` UTC: ${p.utc}.`}`,
  },
  selection: {
    all: 'Select all',
    selected: (p: { selected: number }) => `${p.selected} selected`,
  },
};
