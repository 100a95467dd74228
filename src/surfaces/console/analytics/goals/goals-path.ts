import { analyticsPath } from '../view-params.ts';

export const goalsPath = `${analyticsPath}/goals`;
