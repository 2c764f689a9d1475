import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../src/config/load.ts';
import { storeOf } from '../../src/store/configured-store.ts';
import { fillDue } from '../sweep/fill.ts';
import { type SweepScale, sweepTogether } from '../sweep/measure.ts';
import type { Workplace } from '../workplace.ts';
import { type Nodes, nodesOn } from './nodes.ts';

const NAMES = ['one', 'two', 'three', 'four'];
/** 32 status checks at a time in all, of a service that takes 20 ms. */
const SCALE = { concurrency: 32, serviceMs: 20 };
/** Pause between two looks whether a node has joined, and the longest wait for it. */
const LOOK_MS = 50;
const MOST_MS = 120_000;

export interface ChecksRound {
  /** Of the time that the service alone would take. */
  readonly ofIdeal: number;
  /** Processor time of all nodes for a status check. */
  readonly cpuMicros: number;
  /** Entries of the log for each hundred status checks. */
  readonly entriesPerHundred: number;
}

/** Four nodes check as many due records, with a sweep each at once; `serve` runs on none of them meanwhile. */
export async function measureChecks(workplace: Workplace, records: number, round: number): Promise<ChecksRound> {
  const scale: SweepScale = { ...SCALE, records };
  const nodes = await nodesOn(workplace, `checks-${round}`, (database) => fillDue(database, records));
  try {
    await joinAll(nodes);
    const before = await headOf(nodes);
    const { reports } = await sweepTogether(
      NAMES.map((name) => nodes.env(name)),
      scale,
    );
    const seconds = Math.max(...reports.map((report) => report.seconds));
    const cpuMicros = reports.reduce((sum, report) => sum + report.cpuMicros, 0) / records;
    const entriesPerHundred = (((await headOf(nodes)) - before) / records) * 100;
    return {
      ofIdeal: seconds / ((records * SCALE.serviceMs) / 1_000 / SCALE.concurrency),
      cpuMicros,
      entriesPerHundred,
    };
  } finally {
    await nodes.close();
  }
}

/** Each node makes its database from the snapshot of the first one, and stops. */
async function joinAll(nodes: Nodes): Promise<void> {
  const started = [];
  for (const name of NAMES) {
    started.push(await nodes.start(name));
    const begunMs = performance.now();
    while (!(await hasJoined(nodes, name))) {
      if (performance.now() - begunMs > MOST_MS) throw new Error(`The node ${name} did not join within two minutes.`);
      await pause(LOOK_MS);
    }
  }
  for (const node of started) await node.stop();
}

async function hasJoined(nodes: Nodes, name: string): Promise<boolean> {
  const { head, nodes: rows } = await statusOf(nodes);
  return rows.some((row) => row.name === name && row.carriedOut === head.seq);
}

async function headOf(nodes: Nodes): Promise<number> {
  return (await statusOf(nodes)).head.seq;
}

async function statusOf(nodes: Nodes) {
  const env = nodes.env('one');
  const status = await storeOf(loadConfig({ env, cwd: '/' })).cluster?.status();
  if (status === undefined) throw new Error('There is no cluster.');
  return status;
}
