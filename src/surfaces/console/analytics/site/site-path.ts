import { analyticsPath } from '../view-params.ts';

export const sitePath = `${analyticsPath}/site`;
