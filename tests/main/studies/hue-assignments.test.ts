import { expect, test } from 'vitest';
import { emptyRegistry, type RegistryData, type StudyRecord } from '../../../main/storage/registry-data';
import { hueAssignments } from '../../../main/studies';
import { sampleStudy } from '../../support/sample-study';

function recordOf(id: string, configurations: readonly string[], hues?: number[]): StudyRecord {
  const { runs, ...study } = sampleStudy({ id });
  const [run] = runs;
  if (run === undefined) throw new Error('A study has runs');
  return {
    study: {
      ...study,
      runs: configurations.map((configuration) => ({ ...run, id: `${id}-${configuration}`, configuration })),
    },
    stopped: null,
    elapsedMs: 0,
    progress: null,
    finishedAt: null,
    removed: false,
    ...(hues === undefined ? {} : { hues }),
  };
}

function over(...studies: StudyRecord[]) {
  let data: RegistryData = { ...emptyRegistry, studies };
  const hues = hueAssignments({ read: () => data });
  const change = (next: (all: readonly StudyRecord[]) => StudyRecord[]): void => {
    data = { ...data, studies: next(data.studies) };
  };
  return { hues, change };
}

test('a configuration keeps its colour in every study when others come and go', () => {
  const first = recordOf('s1', ['alone', 'team']);
  const { hues, change } = over(first, recordOf('s2', ['team', 'wide', 'deep']));
  expect(hues.ofStudy(first.study)).toEqual([0, 1]);
  const second = hues.of(['team', 'wide', 'deep']);
  expect(second).toEqual([1, 2, 3]);
  change((all) => [...all, recordOf('s3', ['new', 'deep'])]);
  expect(hues.of(['new', 'deep'])).toEqual([4, 3]);
  // In the trash, and back from it.
  change((all) => all.map((record) => ({ ...record, removed: record.study.id === 's1' })));
  expect(hues.of(['team', 'wide', 'deep'])).toEqual(second);
  expect(hues.of(['alone'])).toEqual([0]);
});

test('a request for names that no study has assigns no colours', () => {
  const { hues, change } = over();
  expect(hues.of(['draft', 'other'])).toEqual([0, 1]);
  change(() => [recordOf('s1', ['other'])]);
  expect(hues.of(['other', 'draft'])).toEqual([0, 1]);
});

test('a study of another lab brings its colours where the names are new here', () => {
  const { hues } = over(recordOf('s1', ['team']), recordOf('theirs', ['team', 'base'], [5, 6]));
  expect(hues.of(['team', 'base'])).toEqual([0, 6]);
});
