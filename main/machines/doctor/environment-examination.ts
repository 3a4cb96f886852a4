import { ENVIRONMENTS_SCRIPT, PACKAGES, parseEnvironments } from '../logic/doctor/environments';
import {
  importScript,
  PACKAGE_TITLES,
  packageFinding,
  parseTrials,
  TRIAL_SECONDS,
} from '../logic/doctor/import-trial';
import { type Examination, notExamined } from './examination';

const SURVEY_MS = 90_000;

/** Finds environments with the engines in them, then imports each once. */
export const environmentExamination: Examination = {
  checks: PACKAGES.map((name) => ({ id: name, title: PACKAGE_TITLES[name] })),
  run: async ({ machine, signal }) => {
    const found = await machine.run(ENVIRONMENTS_SCRIPT, { timeoutMs: SURVEY_MS, signal });
    if (!found.ok) return PACKAGES.map(() => notExamined(found.error));
    const survey = parseEnvironments(found.value.stdout, machine.spec.kind === 'slurm');
    const script = importScript(survey);
    if (script === null) return PACKAGES.map((name) => packageFinding(name, survey, new Map()));
    const tried = await machine.run(script, { timeoutMs: TRIAL_SECONDS * 1_000, signal });
    if (!tried.ok && tried.error.code === 'unreachable') return PACKAGES.map(() => notExamined(tried.error));
    const trials = parseTrials(tried.ok ? tried.value.stdout : '');
    return PACKAGES.map((name) => packageFinding(name, survey, trials));
  },
};
