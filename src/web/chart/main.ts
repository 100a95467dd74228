// The script of public pages with charts.
import { enableCharts } from '../page/chart-focus.ts';
import { installChartTips } from '../page/chart-tips.ts';

enableCharts(document);
installChartTips();
