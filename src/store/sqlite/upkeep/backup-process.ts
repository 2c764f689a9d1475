import { backUpInSeries } from './backup-series.ts';
import type { SeriesOrder } from './backup-side-process.ts';
import { answerOrder } from './side-process.ts';

/** The side process that `backUpInSideProcess` starts. */
answerOrder((order: SeriesOrder) => backUpInSeries(order));
