// The script of public pages with charts.
import { enableCharts, installChartTips } from '../page/chart-tips.ts';

enableCharts(document);
installChartTips();
