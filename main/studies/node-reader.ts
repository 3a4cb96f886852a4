import type {
  Grade,
  NodeDetail,
  Problem,
  Refusal,
  RunConfig,
  TestCase,
  TreePart,
} from '../../preload/contract/index';
import { failed, ok, type Result } from '../base/index';
import { promptFor } from '../search/index';
import type { NodeRecord } from '../storage/index';

function testsWith(tests: readonly TestCase[], grade: Grade | null | undefined): NodeDetail['publicTests'] {
  return tests.map((test, i) => ({ test, result: grade?.results[i] ?? null }));
}

/** Everything about one node. The prompt is made again from the tree and compared by digest with the one sent. */
export async function readNode(options: {
  readonly config: RunConfig;
  readonly problem: Problem;
  readonly part: TreePart;
  readonly index: number;
  readonly read: (problemId: string, part: TreePart, index: number) => Promise<NodeRecord | null>;
  readonly digest: (text: string) => string;
}): Promise<Result<NodeDetail, Refusal>> {
  const { config, problem, part, index } = options;
  const record = await options.read(problem.id, part, index);
  const agent = config.team.agents.find(({ id }) => id === record?.node.agentId);
  const detail = record?.node.detail;
  if (record === null || detail === undefined || agent === undefined) {
    return failed({
      code: 'not-found',
      message: `Node ${index} of ${problem.id} is not in this run's journal.`,
    });
  }
  const parent = record.node.parent === -1 ? null : await options.read(problem.id, part, record.node.parent);
  const parentDetail = parent?.node.detail;
  const prompt = promptFor(
    problem,
    agent,
    parent === null || parentDetail === undefined
      ? null
      : {
          program: parentDetail.program,
          answer: parentDetail.answer,
          publicVerdicts: parent.node.publicVerdicts,
          publicResults: parentDetail.publicGrade.results,
        },
    config.search.feedback,
  );
  return ok({
    answer: detail.answer,
    program: detail.program,
    parentProgram: parentDetail?.program ?? null,
    prompt: [...prompt],
    promptIsExact: options.digest(JSON.stringify(prompt)) === detail.promptDigest,
    why: detail.why ?? null,
    publicTests: testsWith(problem.publicTests, detail.publicGrade),
    privateTests: testsWith(problem.privateTests, record.graded?.detail?.privateGrade),
  });
}
