import { TallyhookError } from '../../../domain/error.ts';
import { JOB_NAMES } from '../../../domain/jobs/job.ts';
import { duration } from '../../../domain/text/quantity-text.ts';
import { type JobView, jobColumns, jobViews, needsAttention } from '../../../lists/jobs.ts';
import { wordIn } from '../asked.ts';
import { noticeBlock, postForm } from '../blocks.ts';
import { asOptions } from '../forms.ts';
import { listTable } from '../list-blocks.ts';
import type { Block, FormBlock, Page } from '../page.ts';
import { asideForm, type Context, lightPage, type Redirect, type Route } from '../route.ts';
import { wordingIn } from '../wording.ts';

// Did the night's work run?

export const jobRoutes: readonly Route[] = [lightPage('/jobs', 'read', jobs), asideForm('/jobs/run', 'job.run', run)];

async function jobs({ archive, config, nowMs, may }: Context): Promise<Page> {
  const views = jobViews(config, await archive.jobs(), nowMs);
  const { time } = wordingIn(config.timeZone);
  return {
    title: 'Jobs',
    question: "Did the night's work run?",
    commands: ['tallyhook schedule list', 'tallyhook schedule run JOB'],
    regions: ['jobs'],
    blocks: [
      ...remarks(views),
      listTable(jobColumns(config.schedule.timeZone, time), views, {
        ...{ id: 'jobs', caption: 'Jobs, their next and latest runs', empty: null },
        tone: (view) => (needsAttention(view) ? 'bad' : undefined),
      }),
      ...(may('job.run') ? [runForm()] : []),
    ],
  };
}

/** Each remark once, with the jobs that it is about. */
function remarks(views: readonly JobView[]): Block[] {
  const about = Map.groupBy(
    views.filter(({ remark }) => remark !== null),
    ({ remark }) => remark,
  );
  return [...about].map(([remark, jobs]) => {
    return noticeBlock('warn', `${jobs.map(({ job }) => job).join(', ')}: ${remark}.`);
  });
}

function runForm(): FormBlock {
  return postForm('run', '/jobs/run', {
    title: 'Run a job now',
    fields: [{ type: 'select', name: 'job', label: 'Job', options: asOptions(JOB_NAMES) }],
    buttons: [{ label: 'Run it', as: 'plain' }],
    note: 'It runs beside the schedule, which goes on as it is. A job that is running already is not begun a second time.',
  });
}

async function run({ form, aside }: Context): Promise<Redirect> {
  const job = wordIn(form, 'job', JOB_NAMES);
  if (job === undefined) throw new TallyhookError('No job is chosen.', { kind: 'usage', hint: 'Choose one.' });
  const ended = await aside.runJob(job);
  if ('held' in ended) {
    const { holder } = ended.held;
    throw notDone(`${job} is running already: ${holder}.`, 'Wait until it has ended, and look at Jobs.');
  }
  const { outcome, detail, tookMs, accepted } = ended;
  if (!accepted) throw notDone(`Another process has taken over ${job}: this run was not recorded.`, 'Look at Jobs.');
  if (outcome === 'failed' || outcome === 'stopped')
    throw notDone(`${job} ${outcome === 'failed' ? 'failed' : 'was stopped'}: ${detail}`, 'Run it again.');
  return { to: '/jobs', said: `${job} ended in ${duration(tookMs)}: ${detail}` };
}

function notDone(message: string, hint: string): TallyhookError {
  return new TallyhookError(message, { kind: 'failed', hint });
}
