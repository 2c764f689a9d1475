import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { packageFile } from '../../../package-root.ts';
import { localTime } from '../../../time/local-time.ts';
import type { ReportedException, ShownReport } from '../model.ts';
import { movesBalance } from '../proven.ts';
import { figures, restsOn } from '../tables/chapters.ts';
import type { PageLinks } from '../tables/links.ts';
import { counted, countOf } from '../words.ts';
import { accountAnchor, carriedAnchor, exceptionAnchor } from './anchors.ts';
import { pageSection } from './block.ts';
import { type CodeGroup, groupsOf, shownException } from './exception-groups.ts';
import type { Evidence } from './stories.ts';
import { summary } from './summary.ts';
import { escaped } from './text.ts';

/** Exceptions on a page, each with its story: beyond that a browser is no tool for them, and `exceptions export` is. */
export const MOST_EXCEPTIONS = 5_000;

/**
 * The page of a report as pieces of one HTML file, which needs nothing else: no network, no script, no font. It reads no clock,
 * so that the same report and the same evidence give the same bytes.
 */
export async function* htmlPage(
  { report, signOff, exceptions, carried }: ShownReport,
  evidence: Evidence,
): AsyncGenerator<string, void, undefined> {
  const local = localTime(report.zone);
  const time = (at: string) => local(Date.parse(at)).slice(0, -':00'.length);
  const { shown, more } = await firstOf(exceptions(), MOST_EXCEPTIONS);
  const before = await firstOf(carried(), MOST_EXCEPTIONS - shown.length);
  const all = [...shown, ...before.shown];
  const only = report.environment;
  const groups = groupsOf(shown, { only, isInProof: movesBalance(report.proof) });
  const inProof = new Set(report.carried.items.flatMap(({ id, isInProof }) => (isInProof ? [id] : [])));
  const beforeGroups = groupsOf(before.shown, { only, isInProof: ({ id }) => inProof.has(id), isBefore: true });
  const storyLinks = new Map(before.shown.map((one) => [one.id, { exception: one.id, story: exceptionAnchor(one) }]));
  const places = new Map<string, string>();
  for (const { id, line } of all) {
    const place = line === null ? null : await evidence.place(line);
    if (place !== null) places.set(id, place);
  }
  const firstGroup: PageLinks['exceptions'] = ({ environment, currency, code }) =>
    groups
      .flatMap(({ codes }) => codes)
      .find(
        // A group that only repeats others is in no sum.
        ({ exceptions }) =>
          exceptions.some(
            (one) =>
              one.sameAs === null && one.environment === environment && one.currency === currency && one.code === code,
          ),
      )?.anchor;
  const links: PageLinks = {
    exceptions: firstGroup,
    explained: { exceptions: accountAnchor, carried: carriedAnchor },
    item: (id) => storyLinks.get(id),
  };
  const chapters = figures(report, signOff, links).map(pageSection);
  const papers = restsOn(report, signOff).map(pageSection);
  const head = summary(report, signOff, time);
  const contents = [
    ...chapters.map(({ id, title }) => ({ id, title })),
    ...(all.length === 0
      ? []
      : [
          { id: 'each', title: 'Each exception' },
          { id: 'stories', title: 'Stories' },
        ]),
    ...papers.map(({ id, title }) => ({ id, title })),
  ];
  const { style, policy } = styleSheet();
  yield render('head', { ...head, style, policy, contents });
  for (const section of chapters) yield render('section', section);
  if (all.length > 0) {
    const left = more + before.more;
    yield render('each', {
      more: left === 0 ? null : `The first ${counted(all.length)} of ${counted(all.length + left)} exceptions`,
    });
    for (const { anchor, name, codes } of [...groups, ...beforeGroups]) {
      yield render('account', { anchor, name });
      for (const group of codes) yield* codeGroup(group, places);
    }
    yield render('stories', {
      count: countOf(new Set(all.map(exceptionAnchor).filter((one) => one !== null)).size, 'story'),
    });
    for await (const stories of inParts(evidence.stories(all), STORIES_IN_A_LIST))
      yield render('story-list', { stories, isFull: stories.length === STORIES_IN_A_LIST });
    yield render('stories-end', {});
  }
  for (const section of papers) yield render('section', section);
  yield render('foot', {});
}

/** Lists of which a browser lays out those near the window; shorter ones are laid out as they are. */
const EXCEPTIONS_IN_A_LIST = 50;
const STORIES_IN_A_LIST = 25;

async function* codeGroup(
  { exceptions, ...group }: CodeGroup,
  places: ReadonlyMap<string, string>,
): AsyncGenerator<string, void, undefined> {
  yield render('group', group);
  for await (const some of inParts(exceptions, EXCEPTIONS_IN_A_LIST)) {
    const shown = some.map((one) => shownException(one, places.get(one.id) ?? null));
    yield render('exceptions', { exceptions: shown, isFull: some.length === EXCEPTIONS_IN_A_LIST });
  }
  yield render('group-end', {});
}

async function* inParts<One>(
  all: AsyncIterable<One> | Iterable<One>,
  most: number,
): AsyncGenerator<readonly One[], void, undefined> {
  let part: One[] = [];
  for await (const one of all) {
    part.push(one);
    if (part.length === most) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

/** The first exceptions, at most so many, and how many there are beside them. */
async function firstOf(all: AsyncIterable<ReportedException>, most: number) {
  const shown: ReportedException[] = [];
  let more = 0;
  for await (const one of all) {
    if (shown.length < most) shown.push(one);
    else more++;
  }
  return { shown, more };
}

let eta: Eta | undefined;

function render(name: string, facts: object): string {
  eta ??= new Eta({ views: packageFile('templates', 'reports'), cache: true, escapeFunction: escaped });
  return eta.render(`./${name}`, facts);
}

/** Later ones win over earlier ones: a telephone and paper stand last. */
const STYLES = ['colours', 'base', 'head', 'summary', 'tables', 'charts', 'exceptions', 'stories', 'narrow', 'paper'];

/** The policy allows this one style sheet, by its digest, and nothing else: no text on the page can load or run anything. */
function styleSheet() {
  const parts = STYLES.map((name) => readFileSync(packageFile('templates', 'reports', 'style', `${name}.css`), 'utf8'));
  const style = parts.join('\n');
  const policy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; form-action 'none'`;
  return { style, policy };
}
