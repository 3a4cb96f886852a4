import { runnerWork, type WorkRequest } from '../../../main/grading/logic/runner-work';

/** A planted error of ours: the judge throws on reports of these requests, so many times. */
export function faulty(isMeant: (request: WorkRequest) => boolean, times = Number.POSITIVE_INFINITY) {
  let thrown = 0;
  return {
    thrown: () => thrown,
    workFor: (request: WorkRequest) => {
      const work = runnerWork(request);
      const resultsOf: typeof work.resultsOf = (...report) => {
        if (!isMeant(request) || thrown >= times) return work.resultsOf(...report);
        thrown += 1;
        throw new Error('planted');
      };
      return { ...work, resultsOf };
    },
  };
}
