import type { SlurmDefaults } from '../../../../preload/contract';
import { shellWords } from '../../../base';
import { LIMITED } from './cuda';
import { bad, type Finding, good, type ScriptSurvey, valuesIn, warning } from './finding';

/** Programs that submit, watch and stop jobs. */
const TOOLS = ['sbatch', 'squeue', 'scancel', 'scontrol'];

/** Slurm's programs, whether its controller answers, and whether it would take a job as the machine's defaults ask. */
export function slurmSurvey(defaults: SlurmDefaults): ScriptSurvey {
  const { partition, account, minutes, options } = defaults;
  const sbatchOptions = [
    ...(partition === '' ? [] : [`--partition=${partition}`]),
    ...(account === '' ? [] : [`--account=${account}`]),
    `--time=${minutes}`,
    ...options.split(/\s+/).filter((word) => word !== ''),
  ];
  return {
    seconds: 60,
    script: `
${LIMITED}
for tool in ${TOOLS.join(' ')}; do command -v "$tool" >/dev/null 2>&1 || echo "missing=$tool"; done
command -v sinfo >/dev/null 2>&1 || echo "missing=sinfo"
cd /
text=$(limited 15 sinfo -h -o '%P %a %D %G' 2>&1); echo "sinfo=$?"
printf '%s\\n' "$text" | sed 's/^/partition-line=/'
echo "trial=$(limited 15 sbatch --test-only ${shellWords(sbatchOptions)} --wrap true 2>&1 >/dev/null | tr '\\n' ' ')"
echo "accounting=$(limited 15 sacct -n -X -S now-1hour -o JobID 2>&1 >/dev/null | tr '\\n' ' ')"
echo "version=$(sbatch --version 2>/dev/null)"
exit 0
`,
    checks: [
      { id: 'slurm', title: 'Slurm', judge: ({ stdout }) => judgeController(stdout) },
      {
        id: 'slurm-defaults',
        title: 'Slurm defaults',
        judge: ({ stdout }) => judgeTrial(stdout, sbatchOptions),
      },
      { id: 'slurm-accounting', title: "Slurm's accounting", judge: ({ stdout }) => judgeAccounting(stdout) },
    ],
  };
}

function judgeController(text: string): Finding {
  const values = valuesIn(text);
  const missing = [...text.matchAll(/^missing=(\w+)$/gm)].map(([, tool = '']) => tool);
  if (missing.length > 0)
    return bad(
      `Not on the path there: ${missing.join(', ')}.`,
      'Use a login node of the cluster. Where Slurm needs `module load slurm`, add that to ~/.profile and, for commands over ssh, to ~/.bashrc.',
    );
  const lines = [...text.matchAll(/^partition-line=(.*)$/gm)].map(([, line = '']) => line);
  if (values.get('sinfo') !== '0')
    return bad(
      `Slurm's controller does not answer: ${lines.at(-1)?.slice(0, 200) || 'no reason given.'}`,
      'Try `sinfo` there again in a few minutes; `scontrol ping` shows which controller is down.',
    );
  const gpus = lines.filter((line) => /gpu/i.test(line)).map((line) => line.split(' ')[0] ?? '');
  const summary = `${values.get('version') || 'Slurm'} answers; partitions ${[...new Set(lines.map((line) => line.split(' ')[0]))].join(', ')}`;
  return gpus.length === 0
    ? warning(
        `${summary}, none of which has GPUs (no generic resource "gpu").`,
        'Slurm will refuse jobs with GPUs: find a partition that has them (`sinfo -o "%P %G"`).',
      )
    : good(`${summary}; GPUs in ${[...new Set(gpus)].join(', ')}.`);
}

function judgeTrial(text: string, sbatchOptions: readonly string[]): Finding {
  const answer = (valuesIn(text).get('trial') ?? '').trim();
  const flags = shellWords(sbatchOptions);
  // "sbatch: Job 12 to start at 2026-01-01T00:00:00 using 1 processors on nodes n1 in partition gpu"
  const start = /to start at (\S+)/.exec(answer)?.[1];
  if (start !== undefined) return good(`Slurm would accept a job with ${flags} and start it at ${start}.`);
  const reason = answer.replace(/sbatch: (error: )?/g, '').slice(0, 200);
  return bad(
    `Slurm would refuse a job with ${flags}: ${reason === '' ? 'no reason given.' : reason}`,
    'Correct the partition, account, time and options of this machine: `sinfo -o "%P %l %G"` lists partitions, `sacctmgr show assoc user=$USER` accounts.',
  );
}

function judgeAccounting(text: string): Finding {
  const answer = (valuesIn(text).get('accounting') ?? '').trim();
  return answer === ''
    ? good('On: Slurm also knows how old jobs ended.')
    : good(
        `Off (${answer.slice(0, 120)}). How jobs ended is read from their own files; for a job that Slurm ended before it could write, the reason is known for a few minutes only.`,
      );
}
