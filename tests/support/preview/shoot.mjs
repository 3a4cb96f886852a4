// Photographs places of the app over the sample: node tests/support/preview/shoot.mjs FOLDER [name ...]
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openPreview } from './open-preview.mjs';

const STUDY = '#/studies/study-1';
const RUN = `${STUDY}/runs/study-1.heterogeneous.1`;
const PROBLEM = `${RUN}/problems/pocket%2Ftest%2F007`;
const REPORT_PROBLEM = ['Control+k', ...'report a pr', 'Enter'].map((key) => (key === ' ' ? 'Space' : key));
/** Name: scene and address; `do` presses keys, `menu` opens a context menu, `open` an explanation, before the picture. */
export const SHOTS = {
  first: { scene: 'first', at: '#/' },
  'no-sandbox': { scene: 'no-sandbox', at: '#/' },
  unplanned: { scene: 'unplanned', at: '#/' },
  'older-service': { scene: 'older-service', at: '#/', wait: 300 },
  'newer-service': { scene: 'newer-service', at: '#/', wait: 300 },
  home: { scene: 'running', at: '#/' },
  studies: { scene: 'running', at: '#/studies' },
  'new-study': { scene: 'running', at: '#/studies/new' },
  'new-study-pocket': { scene: 'finished', at: '#/studies/new?benchmark=pocket-test-1' },
  'new-study-like': { scene: 'finished', at: '#/studies/new?from=study-1' },
  'new-study-empty': { scene: 'empty-library', at: '#/studies/new' },
  'new-study-details': {
    scene: 'finished',
    at: '#/studies/new?benchmark=pocket-test-1',
    press: [
      'Details of the strategy',
      'Limits, parallel trials, grading',
      'Details of agent 2 of configuration 2',
    ],
  },
  'new-study-values': {
    scene: 'finished',
    at: '#/studies/new?benchmark=pocket-test-1',
    press: ['Several values'],
    pick: ['Vary a setting', 'Nodes per tree (N)'],
  },
  'new-study-models': { scene: 'training', at: '#/studies/new', click: 'Agent 1 of configuration 1' },
  'new-study-checkpoint': {
    scene: 'training',
    at: '#/studies/new',
    pick: ['Agent 1 of configuration 1', 'Checkpoint of a training'],
    click: 'Training of agent 1 of configuration 1',
  },
  'new-study-copy': { scene: 'ablation', at: '#/studies/new?from=study-1' },
  'new-study-strategies': {
    scene: 'finished',
    at: '#/studies/new?benchmark=pocket-test-1',
    click: 'Strategy',
  },
  'new-study-keys': {
    scene: 'finished',
    at: '#/studies/new',
    // A configuration of an outside model, half filled in, then the request to run it.
    do: ['Tab', 'Control+Enter'],
    press: [
      'Add an agent to configuration 2',
      'Add an agent to configuration 2',
      'Duplicate configuration 1',
    ],
  },
  'studies-many': { scene: 'many', at: '#/studies', tick: ['Select Quickstart', 'Select Study 499'] },
  'studies-none': { scene: 'many', at: '#/studies', fill: ['Filter by words', 'nothing like it'] },
  'study-notes': { scene: 'many', at: '#/studies/study-1', press: ['Add a note or tags'] },
  'study-noted': { scene: 'many', at: '#/studies/many-12' },
  'many-choose': { scene: 'many', at: '#/compare/study-1', press: ['Choose runs'] },
  'many-compare': { scene: 'many-runs', at: '#/compare/study-1' },
  'many-problems': { scene: 'many-runs', at: '#/compare/study-1?view=problems' },
  'many-pairs': { scene: 'many-runs', at: '#/compare/study-1?view=pairs' },
  'studies-empty': { scene: 'first', at: '#/studies' },
  preparing: { scene: 'preparing', at: STUDY },
  early: { scene: 'early', at: STUDY },
  study: { scene: 'running', at: STUDY },
  'study-long-name': { scene: 'long-name', at: STUDY },
  finished: { scene: 'finished', at: STUDY },
  'study-extend': {
    scene: 'finished',
    at: `${STUDY}?check=extend`,
    fill: ['Seeds to add', '2-5'],
    press: ['Add configuration', 'Add configuration'],
    wait: 900,
  },
  'study-queued': { scene: 'queued', at: STUDY },
  'study-method': { scene: 'finished', at: STUDY, choose: 'Method', scroll: 'How it is computed' },
  trash: { scene: 'finished', at: STUDY, press: ['More'], item: 'Remove study', click: 'Trash' },
  'trash-delete': {
    ...{ scene: 'finished', at: STUDY, press: ['More'], item: 'Remove study', click: 'Trash' },
    do: ['Tab', 'Tab', 'Enter'],
  },
  'study-extend-agents': {
    scene: 'finished',
    at: `${STUDY}?check=extend`,
    press: ['Add configuration'],
    pick: ['Team of new configuration 1', 'Agents of your choice'],
  },
  'study-extend-empty': { scene: 'finished', at: `${STUDY}?check=extend` },
  'study-extend-refused': {
    scene: 'finished',
    at: `${STUDY}?check=extend`,
    fill: ['Seeds to add', '1'],
    wait: 900,
  },
  'study-extended': { scene: 'extended', at: STUDY },
  'study-parallel': { scene: 'preparing', at: STUDY, press: ['More'], item: 'Requests at once…' },
  'study-menu-busy': { scene: 'preparing', at: STUDY, press: ['More'] },
  seeds: { scene: 'seeds', at: STUDY },
  failed: { scene: 'failed', at: STUDY },
  missing: { scene: 'missing', at: STUDY },
  'missing-home': { scene: 'missing', at: '#/' },
  'missing-studies': { scene: 'missing', at: '#/studies' },
  'missing-run': { scene: 'missing', at: PROBLEM },
  'missing-compare': { scene: 'missing', at: '#/compare/study-1' },
  refusing: { scene: 'refusing', at: STUDY, do: ['p'] },
  run: { scene: 'finished', at: `${PROBLEM}/nodes/9?part=search` },
  'run-replay': { scene: 'finished', at: `${PROBLEM}?part=search&moment=17` },
  'run-beside': { scene: 'finished', at: `${PROBLEM}?part=search&beside=study-1.single.1` },
  'run-beside-replay': {
    scene: 'finished',
    at: `${PROBLEM}?part=search&moment=12&beside=study-1.homogeneous.1`,
    tab: 'Why',
  },
  'run-nodes': { scene: 'finished', at: `${PROBLEM}?part=search&tab=nodes` },
  'run-curves': { scene: 'running', at: `${PROBLEM}?part=search&tab=curves` },
  'run-problem': { scene: 'running', at: `${PROBLEM}?part=search&tab=problem` },
  'run-empty': { scene: 'early', at: `${RUN}/problems/pocket%2Ftest%2F050?part=search` },
  compare: { scene: 'finished', at: '#/compare/study-1' },
  'compare-under-way': { scene: 'under-way', at: '#/compare/study-1' },
  'exhibit-fill': {
    scene: 'desk',
    at: '#/exhibits/scaling-law',
    press: ['More'],
    item: 'Fill rows with small language models…',
    pick: ['Single, untrained', 'single'],
  },
  'exhibit-fill-none': {
    scene: 'first',
    at: '#/exhibits/scaling-law',
    press: ['More'],
    item: 'Fill rows with small language models…',
  },
  'bundle-writing': { scene: 'under-way', at: STUDY, press: ['Export', 'Bundle for another lab…'] },
  'bundle-opening': { scene: 'under-way', at: '#/studies', press: ['Open bundle'] },
  'bundle-problem': { scene: 'bundle-problem', at: `${PROBLEM}?part=search&tab=problem` },
  'compare-empty': { scene: 'first', at: '#/compare' },
  'compare-pairs': { scene: 'finished', at: '#/compare/study-1?view=pairs' },
  'compare-dated': {
    scene: 'dated',
    at: '#/compare/study-1?view=pairs',
    choose: 'Differences in each group',
    scroll: 'Before and after the training cut-off',
  },
  'compare-matched': { scene: 'finished', at: '#/compare/study-1?view=pairs', choose: 'Equal tokens' },
  'settings-models': { scene: 'dated', at: '#/settings', scroll: 'Models' },
  'compare-problems': { scene: 'finished', at: '#/compare/study-1?view=problems' },
  'compare-agents': { scene: 'finished', at: '#/compare/study-1?view=agents' },
  'compare-diversity': {
    scene: 'finished',
    at: '#/compare/study-1?view=diversity',
    press: ['Measure'],
  },
  'compare-cost': { scene: 'finished', at: '#/compare/study-1?view=diversity', scroll: 'Cost' },
  'compare-settings': { scene: 'finished', at: '#/compare/study-1?view=settings' },
  'compare-choose': { scene: 'finished', at: '#/compare/study-1', press: ['Choose runs', 'Open Quickstart'] },
  'compare-some': {
    scene: 'finished',
    at: '#/compare?run=study-1.single.1&run=study-1.heterogeneous.1&run=old-1.heterogeneous.1',
  },
  'compare-gone': { scene: 'finished', at: '#/compare?run=nothing.1' },
  'compare-failed': { scene: 'refusing', at: '#/compare/study-1' },
  'compare-unreadable': { scene: 'unreadable', at: '#/compare' },
  'compare-early': { scene: 'preparing', at: '#/compare/study-1' },
  'compare-money': { scene: 'priced', at: '#/compare/study-1', choose: 'Cost' },
  'run-why': { scene: 'finished', at: `${PROBLEM}/nodes/9?part=search`, tab: 'Why' },
  verify: { scene: 'finished', at: STUDY, press: ['More'], item: 'Verify the journals', confirm: 'Verify' },
  regrade: { scene: 'finished', at: STUDY, press: ['More'], item: 'Re-grade…', confirm: 'Grade again' },
  'regrade-first': { scene: 'finished', at: `${STUDY}?check=regrade` },
  'regrade-choose': { scene: 'regraded', at: `${STUDY}?check=regrade`, wait: 900 },
  'study-regraded': { scene: 'regraded', at: STUDY },
  'study-menu': { scene: 'finished', at: STUDY, press: ['More'] },
  servers: { scene: 'running', at: '#/servers' },
  'servers-empty': { scene: 'first', at: '#/servers' },
  library: { scene: 'running', at: '#/library' },
  'library-import': { scene: 'running', at: '#/library', press: ['Import benchmark'] },
  'library-import-refused': {
    scene: 'import-refused',
    at: '#/library',
    press: ['Import benchmark', 'Choose a file'],
  },
  'library-rename': {
    scene: 'running',
    at: '#/library',
    press: ['More actions for HumanEval'],
    item: 'Rename…',
  },
  'library-remove': {
    scene: 'finished',
    at: '#/library',
    press: ['More actions for Pocket, test split 1'],
    item: 'Remove…',
  },
  benchmark: { scene: 'large-library', at: '#/library/livecodebench-v6/lc2803' },
  'benchmark-none': {
    scene: 'large-library',
    at: '#/library/livecodebench-v6',
    fill: ['Filter by words', 'nothing like it'],
  },
  'benchmark-filtered': {
    scene: 'large-library',
    at: '#/library/livecodebench-v6/lc2803',
    fill: ['Filter by words', 'paths leetcode'],
    press: ['Mark all 71 shown…'],
  },
  'benchmark-plain': { scene: 'large-library', at: '#/library/humaneval' },
  'benchmark-narrow': { scene: 'large-library', at: '#/library/livecodebench-v6/lc2803', width: 900 },
  'library-narrow': { scene: 'large-library', at: '#/library', width: 900 },
  'benchmark-gone': { scene: 'large-library', at: '#/library/nothing' },
  'library-empty': { scene: 'empty-library', at: '#/library' },
  settings: { scene: 'no-sandbox', at: '#/settings' },
  'settings-no-python': { scene: 'no-python', at: '#/settings', scroll: 'Grading' },
  unreadable: { scene: 'unreadable', at: '#/' },
  nowhere: { scene: 'running', at: '#/no/such/place' },
  large: { scene: 'large', at: STUDY },
  'large-compare': { scene: 'large-finished', at: '#/compare/study-1' },
  'large-differences': { scene: 'large-finished', at: '#/compare/study-1?view=pairs' },
  'large-problems': { scene: 'large-finished', at: '#/compare/study-1?view=problems' },
  'large-agents': { scene: 'large-finished', at: '#/compare/study-1?view=agents' },
  'large-settings': { scene: 'large-finished', at: '#/compare/study-1?view=settings' },
  'large-curves': { scene: 'large-finished', at: '#/compare/study-1', scroll: 'Curves' },
  'large-cost': { scene: 'large-finished', at: '#/compare/study-1?view=diversity' },
  ablation: { scene: 'ablation', at: STUDY },
  'ablation-compare': { scene: 'ablation', at: '#/compare/study-1' },
  'ablation-settings': { scene: 'ablation', at: '#/compare/study-1?view=settings' },
  'ablation-run': {
    scene: 'ablation',
    at: `${STUDY}/runs/study-1.MARS%C2%B2-T%2B.1/problems/pocket%2Ftest%2F007/nodes/9?part=search&tab=nodes`,
  },
  warnings: { scene: 'warnings', at: STUDY },
  'warnings-all': { scene: 'warnings-finished', at: STUDY, press: ['Show all 6 warnings'] },
  damaged: { scene: 'damaged', at: STUDY },
  'damaged-home': { scene: 'damaged', at: '#/' },
  'damaged-list': { scene: 'damaged', at: '#/studies' },
  'damaged-ask': { scene: 'damaged', at: STUDY, press: ['Repair'] },
  'damaged-done': { scene: 'damaged', at: STUDY, press: ['Repair'], confirm: 'Repair' },
  'damaged-all': { scene: 'damaged-all', at: STUDY },
  'damaged-compare': { scene: 'damaged', at: '#/compare/study-1' },
  'damaged-run': { scene: 'damaged', at: `${STUDY}/runs/study-1.homogeneous.1` },
  'damaged-nothing': {
    scene: 'damaged',
    at: `${STUDY}/runs/study-1.homogeneous.1/problems/pocket%2Ftest%2F055?part=search`,
  },
  'no-outcomes': { scene: 'no-outcomes', at: STUDY },
  marked: { scene: 'odd', at: `${PROBLEM}/nodes/9?part=search&tab=problem` },
  'mark-form': {
    scene: 'odd',
    at: `${PROBLEM}/nodes/9?part=search&tab=problem`,
    press: ['Change'],
  },
  'odd-nodes': { scene: 'odd', at: `${PROBLEM}/nodes/9?part=search&tab=nodes`, tab: 'Tests' },
  'curves-tokens': { scene: 'finished', at: `${PROBLEM}?part=search&tab=curves`, choose: 'Tokens' },
  'regrade-other': { scene: 'ablation', at: STUDY, press: ['Grade again in the other mode'] },
  'settings-top': { scene: 'running', at: '#/settings' },
  'settings-service': { scene: 'service', at: '#/settings' },
  'settings-service-there': { scene: 'service-there', at: '#/settings' },
  'settings-older-service': { scene: 'older-service', at: '#/settings' },
  'settings-newer-service': { scene: 'newer-service', at: '#/settings' },
  'machine-service': { scene: 'machines', at: '#/machines/gpu-a', scroll: 'Background service' },
  'machine-no-service': { scene: 'machines', at: '#/machines/gpu-b', scroll: 'Background service' },
  'settings-well': { scene: 'running', at: '#/settings', scroll: 'This computer' },
  'settings-sick': { scene: 'sick-grader', at: '#/settings' },
  'settings-ungraded': { scene: 'ungraded', at: '#/settings', scroll: 'This computer' },
  'palette-verify': { scene: 'finished', at: STUDY, do: ['Control+k', 'v', 'e', 'r', 'i', 'Enter'] },
  'palette-new': { scene: 'running', at: STUDY, do: ['Control+k', 'n', 'e', 'w', ' ', 's', 't', 'u'] },
  jobs: { scene: 'lab', at: '#/jobs' },
  'jobs-all': { scene: 'lab', at: '#/jobs', tick: ['Jobs of servers and trainings (1)'] },
  'jobs-remove': { scene: 'lab', at: '#/jobs', press: ['Remove 4 ended'] },
  'jobs-empty': { scene: 'first', at: '#/jobs' },
  'jobs-failed': { scene: 'lab-refusing', at: '#/jobs' },
  job: { scene: 'lab', at: '#/jobs/job-train' },
  'job-failed': { scene: 'lab', at: '#/jobs/job-failed' },
  'job-gpus': { scene: 'lab', at: '#/jobs/job-train', scroll: 'Timeline' },
  'job-origin': {
    scene: 'lab',
    at: '#/jobs/job-failed',
    press: ['Changes'],
    scroll: 'Where it came from',
  },
  'job-unknown': { scene: 'lab', at: '#/jobs/job-unknown' },
  'job-queued': { scene: 'lab', at: '#/jobs/job-queued' },
  'job-lost': { scene: 'lab', at: '#/jobs/job-lost' },
  'job-huge': { scene: 'lab', at: '#/jobs/job-huge' },
  'job-search': {
    scene: 'lab',
    at: '#/jobs/job-train',
    fill: ['Find in log', 'warning'],
    press: ['Search whole log'],
  },
  'job-stop': { scene: 'lab', at: '#/jobs/job-train', press: ['Stop'] },
  'job-gone': { scene: 'lab', at: '#/jobs/nothing' },
  'new-job': { scene: 'lab', at: '#/jobs/new?machine=gpu1' },
  'new-job-copy': { scene: 'lab', at: '#/jobs/new?from=job-train' },
  'new-job-gpus': { scene: 'lab', at: '#/jobs/new?machine=gpu1', choose: 'Pick' },
  'new-job-slurm': { scene: 'lab', at: '#/jobs/new?from=job-lost' },
  'new-job-faults': { scene: 'lab', at: '#/jobs/new', press: ['Start job'] },
  'lab-servers': { scene: 'lab', at: '#/servers/server-qwen' },
  'lab-starting': { scene: 'lab', at: '#/servers/server-boba' },
  'lab-trouble': { scene: 'lab', at: '#/servers/server-nemotron' },
  'lab-speed': { scene: 'lab', at: '#/servers/server-qwen', press: ['Speed test', 'Measure'] },
  launches: { scene: 'lab', at: '#/launches' },
  'launches-empty': { scene: 'first', at: '#/launches' },
  'launches-failed': { scene: 'lab-refusing', at: '#/launches' },
  'new-launch': { scene: 'lab', at: '#/launches/new?machine=gpu1' },
  'new-launch-no-gpu': { scene: 'lab', at: '#/launches/new?machine=local' },
  launch: { scene: 'lab', at: '#/launches/qwen3-14b' },
  'launch-edit': { scene: 'lab', at: '#/launches/qwen3-14b', press: ['Edit'] },
  'launch-tight': { scene: 'lab', at: '#/launches/qwen3-32b' },
  'lab-settings': { scene: 'lab', at: '#/settings' },
  'lab-settings-failed': { scene: 'lab-refusing', at: '#/settings' },
  'new-study-lab': {
    scene: 'lab',
    at: '#/studies/new?benchmark=pocket-test-1',
    press: ['Add an agent to configuration 2', 'Add an agent to configuration 2'],
  },
  'new-training': { scene: 'lab', at: '#/training/new' },
  'new-training-objective': {
    scene: 'lab',
    at: '#/training/new',
    press: ['Reward shaping, advantage, loss, KL, penalty, filter as in the papers'],
    fill: ['Seed', '12x'],
    scroll: 'Objective',
  },
  'new-training-sweep': {
    scene: 'training-model',
    at: '#/training/new?from=2026-01-05-model',
    pick: ['Vary a setting', 'Peak learning rate'],
    scroll: 'Several values and seeds',
  },
  'new-training-sweep-marti': {
    scene: 'experiments',
    at: '#/training/new?from=2026-01-05-marti',
    fill: ['Seeds', '1-3'],
    scroll: 'Several values and seeds',
  },
  'new-training-method': { scene: 'lab', at: '#/training/new', click: 'Training method' },
  'new-training-marti': { scene: 'lab', at: '#/training/new?machine=gpu1' },
  'new-training-filled': {
    scene: 'experiments',
    at: '#/training/new?from=2026-01-05-marti',
    press: ['Check machine'],
  },
  'new-training-flags': {
    scene: 'experiments',
    at: '#/training/new?from=2026-01-05-marti',
    scroll: 'Trainer settings',
  },
  'new-training-faults': { scene: 'lab', at: '#/training/new?machine=gpu1', press: ['Start training'] },
  'new-training-slurm': { scene: 'experiments', at: '#/training/new?machine=cluster', scroll: 'Slurm' },
  'new-training-model': { scene: 'training-model', at: '#/training/new?trainer=model' },
  'new-training-model-filled': {
    scene: 'training-model',
    at: '#/training/new?from=2026-01-05-model',
    press: ['Check machine'],
  },
  'new-training-model-faults': {
    scene: 'training-model',
    at: '#/training/new?trainer=model',
    press: ['Start training'],
  },
  'new-training-model-below': {
    scene: 'training-model',
    at: '#/training/new?from=2026-01-05-model',
    scroll: 'Set-up and environment',
  },
  'new-training-model-writer': {
    scene: 'training-model',
    at: '#/training/new?from=2026-01-05-model',
    scroll: 'Where it computes',
  },
  'new-training-model-memory': {
    scene: 'training-model',
    at: '#/training/new?from=2026-01-05-model',
    scroll: 'Check of the machine',
  },
  'new-training-model-memory-gpus': {
    scene: 'training-model',
    at: '#/training/new?from=2026-01-05-model-gpus',
    scroll: 'Check of the machine',
    width: 900,
  },
  'new-training-recipe': { scene: 'experiments', at: '#/training/new?from=2026-01-05-recipe' },
  experiments: { scene: 'experiments', at: '#/experiments' },
  'experiments-empty': { scene: 'lab', at: '#/experiments' },
  'experiments-failed': { scene: 'experiments-refusing', at: '#/experiments' },
  experiment: { scene: 'experiments', at: '#/experiments/experiment-five-methods' },
  'experiment-lower': {
    scene: 'experiments',
    at: '#/experiments/experiment-five-methods',
    scroll: 'Differences',
  },
  'experiment-lines': {
    scene: 'experiments',
    at: '#/experiments/experiment-five-methods',
    scroll: 'Learning curves',
    press: ['Base', 'Vanilla GRPO', 'RS²'],
  },
  'experiment-done': { scene: 'experiments', at: '#/experiments/experiment-ablations' },
  'experiment-stuck': { scene: 'experiments', at: '#/experiments/experiment-three-families' },
  'experiment-begun': { scene: 'experiments', at: '#/experiments/experiment-tiny' },
  'experiment-gone': { scene: 'experiments', at: '#/experiments/nothing' },
  'experiment-refused': { scene: 'experiments-unreadable', at: '#/experiments/experiment-five-methods' },
  'new-experiment': { scene: 'experiments', at: '#/experiments/new' },
  'new-experiment-row': {
    scene: 'experiments',
    at: '#/experiments/new?preset=ablations',
    fill: ['Seeds', '1 1'],
    press: ['Actions for row 1'],
    scroll: 'Rows',
  },
  'new-experiment-again': {
    scene: 'experiments',
    at: '#/experiments/new?preset=experiment-three-families',
    scroll: 'Size of every training',
  },
  machines: { scene: 'machines', at: '#/machines' },
  'machines-first': { scene: 'machines-first', at: '#/machines' },
  'machines-failed': { scene: 'machines-refusing', at: '#/machines' },
  usage: { scene: 'machines', at: '#/machines?view=usage' },
  'usage-jobs': {
    scene: 'machines',
    at: '#/machines?view=usage&month=2026-11&by=job',
    press: ['What is counted, and what is not'],
  },
  'usage-months': { scene: 'machines', at: '#/machines?view=usage&by=month' },
  'usage-empty': { scene: 'machines-first', at: '#/machines?view=usage' },
  'usage-failed': { scene: 'machines-refusing', at: '#/machines?view=usage' },
  machine: { scene: 'machines', at: '#/machines/gpu-a', press: ['Check this machine'] },
  'machine-doctor': {
    scene: 'machines',
    at: '#/machines/gpu-a',
    press: ['Check this machine'],
    scroll: 'Doctor',
  },
  'machine-gpu-day': { scene: 'machines', at: '#/machines/gpu-a', press: ['Run it again'] },
  'machine-learner': {
    scene: 'machines',
    at: '#/machines/gpu-a',
    press: ['Check the learner'],
    scroll: 'Doctor',
  },
  'machine-clean': { scene: 'machines', at: '#/machines/gpu-a', press: ['Clean up…'] },
  'machine-clean-none': { scene: 'machines', at: '#/machines/local', press: ['Clean up…'] },
  'machine-clean-refused': { scene: 'machine-stubborn', at: '#/machines/gpu-a', press: ['Clean up…'] },
  'machine-doctor-refused': {
    scene: 'machine-stubborn',
    at: '#/machines/gpu-a',
    press: ['Check this machine'],
    scroll: 'Doctor',
  },
  'machine-keep': {
    scene: 'machines',
    at: '#/machines/gpu-a',
    press: ['Reserve GPU 3'],
  },
  'machine-files': {
    scene: 'machines',
    at: '#/machines/gpu-a',
    press: ['Browse files'],
    scroll: 'Doctor',
    click: 'train.log: file',
  },
  'machine-mixed': { scene: 'machines', at: '#/machines/gpu-b' },
  'machine-away': { scene: 'machines', at: '#/machines/basement' },
  'machine-new-key': { scene: 'machines', at: '#/machines/reborn' },
  'machine-off': { scene: 'machines', at: '#/machines/cluster' },
  'machine-connecting': { scene: 'machines', at: '#/machines/new-one' },
  'machine-local': { scene: 'machines', at: '#/machines/local' },
  'machine-gone': { scene: 'machines', at: '#/machines/nothing' },
  'machine-remove': {
    scene: 'machines',
    at: '#/machines/gpu-a',
    press: ['More about gpu-a'],
    item: 'Remove',
    confirm: 'Remove',
  },
  'machine-login': { scene: 'machines-asking', at: '#/machines/vault' },
  'add-machine': { scene: 'machines', at: '#/add-machine', fill: ['ssh name', 'g'] },
  'add-machine-first': { scene: 'machines-no-hosts', at: '#/add-machine' },
  'add-machine-wrong': { scene: 'machines', at: '#/add-machine', press: ['Add and connect'] },
  'add-slurm': { scene: 'machines', at: '#/add-machine', choose: 'Slurm cluster' },
  'edit-machine': { scene: 'machines', at: '#/machines/cluster/edit' },
  terminals: { scene: 'machines', at: '#/terminals/terminal-1' },
  'terminals-find': {
    scene: 'machines',
    at: '#/terminals/terminal-1',
    do: ['Control+Shift+f', 'm', 'a', 'r', 's'],
  },
  'terminals-cut': { scene: 'machines', at: '#/terminals/terminal-3' },
  'terminals-ended': { scene: 'machines', at: '#/terminals/terminal-5' },
  'terminals-plain': { scene: 'machines', at: '#/terminals/terminal-4' },
  'terminals-empty': { scene: 'machines-first', at: '#/terminals' },
  'terminals-failed': { scene: 'machines-refusing', at: '#/terminals' },
  'terminals-close': { scene: 'machines', at: '#/terminals/terminal-1', press: ['Close gpu-a'] },
  'palette-machines': { scene: 'machines', at: '#/machines', do: ['Control+k', 'g', 'p', 'u'] },
  trainings: { scene: 'training', at: '#/training' },
  'training-home': { scene: 'training', at: '#/' },
  'training-narrow': { scene: 'training', at: '#/training/training-live', width: 900 },
  'trainings-narrow': { scene: 'training', at: '#/training', width: 900 },
  'trainings-empty': { scene: 'first', at: '#/training' },
  'trainings-failed': { scene: 'training-refusing', at: '#/training' },
  training: { scene: 'training', at: '#/training/training-live' },
  'training-smooth': { scene: 'training', at: '#/training/training-live', choose: 'Mean of 20' },
  'training-marti': { scene: 'training', at: '#/training/training-marti' },
  'training-gpus': { scene: 'training', at: '#/training/training-marti', scroll: 'GPUs' },
  'training-model': { scene: 'training-model', at: '#/training/training-model' },
  'training-model-checkpoints': { scene: 'training-model', at: '#/training/training-model?tab=checkpoints' },
  'training-model-fetched': {
    scene: 'training-model',
    at: '#/training/training-model?tab=checkpoints',
    press: ['Fetch small-000020, 538.0 MB'],
  },
  'training-model-evaluation': {
    scene: 'training-model-done',
    at: '#/training/training-model?tab=evaluation',
  },
  'training-model-order': { scene: 'training-model', at: '#/training/training-model?tab=order' },
  'training-recipe': { scene: 'training', at: '#/training/training-recipe' },
  'training-stopped': { scene: 'training', at: '#/training/training-stopped' },
  'training-failed': { scene: 'training', at: '#/training/training-failed' },
  'training-compare': {
    scene: 'training',
    at: '#/training/training-heter-mars2-11',
    pick: [
      'Compare with other trainings',
      'Heter-MARS², seed 12 (done)',
      'Vanilla GRPO, seed 11 (done)',
      'Vanilla GRPO, seed 12 (done)',
      'Vanilla GRPO, seed 13 (done)',
      'RS², seed 11 (done)',
      'RS², seed 12 (done)',
    ],
  },
  'training-origins': {
    scene: 'training',
    at: '#/training/training-live',
    pick: ['Compare with other trainings', 'Heter-MARS², seed 12 (done)'],
    scroll: 'Where they came from',
  },
  'training-whole': {
    scene: 'training',
    at: '#/training/training-heter-mars2-11',
    press: ['Whole experiment'],
    click: 'Reward: cursor',
  },
  'training-long': { scene: 'training-long', at: '#/training/training-live', choose: 'Mean of 20' },
  'training-unreadable': { scene: 'training-unreadable', at: '#/training/training-live' },
  'training-checkpoints': {
    scene: 'training',
    at: '#/training/training-heter-mars2-11?tab=checkpoints',
    tick: ['Select reader-000300', 'Select tracer-000300'],
  },
  'training-checkpoints-marti': { scene: 'training', at: '#/training/training-marti?tab=checkpoints' },
  'training-evaluate': {
    scene: 'training',
    at: '#/training/training-heter-mars2-11?tab=checkpoints',
    press: ['Evaluate the last of every agent'],
  },
  'training-compare-checkpoints': {
    scene: 'training',
    at: '#/training/training-heter-mars2-11?tab=checkpoints',
    press: ['Evaluate reader-000300'],
    item: 'Compare with',
  },
  'training-rollouts': { scene: 'training', at: '#/training/training-live?tab=rollouts' },
  'training-sweep': { scene: 'training', at: '#/training/training-marti?tab=evaluation' },
  'training-evaluation': { scene: 'training', at: '#/training/training-heter-mars2-11?tab=evaluation' },
  'training-evaluation-none': { scene: 'training', at: '#/training/training-live?tab=evaluation' },
  'training-log': { scene: 'training', at: '#/training/training-marti?tab=log' },
  'training-order': { scene: 'training', at: '#/training/training-live?tab=order' },
  'training-order-marti': { scene: 'training', at: '#/training/training-marti?tab=order' },
  'training-remove': {
    scene: 'training',
    at: '#/training/training-heter-mars2-11',
    press: ['More'],
    item: 'Remove',
  },
  'training-trash': {
    ...{ scene: 'training', at: '#/training/training-heter-mars2-11', press: ['More'], item: 'Remove' },
    ...{ confirm: 'Move to the trash', click: 'Trash' },
  },
  'training-stop': { scene: 'training', at: '#/training/training-live', press: ['Stop'] },
  'palette-training': { scene: 'training', at: '#/training', do: ['Control+k', 't', 'r', 'a', 'i', 'n'] },
  exhibits: { scene: 'exhibits', at: '#/exhibits' },
  'exhibits-first': { scene: 'first', at: '#/exhibits' },
  'exhibits-none': { scene: 'exhibits-none', at: '#/exhibits' },
  'exhibits-own': { scene: 'exhibits-own', at: '#/exhibits' },
  'exhibits-failed': { scene: 'exhibits-refusing', at: '#/exhibits' },
  exhibit: { scene: 'exhibits', at: '#/exhibits/homogeneous' },
  'exhibit-narrow': { scene: 'exhibits', at: '#/exhibits/homogeneous', width: 900 },
  'exhibit-fresh': { scene: 'first', at: '#/exhibits/homogeneous', wait: 700 },
  'exhibit-paper': { scene: 'exhibits', at: '#/exhibits/homogeneous?scale=paper', wait: 700 },
  'exhibit-cell': { scene: 'exhibits', at: '#/exhibits/homogeneous?cell=qwen3-8b-grpo.pass-1' },
  'exhibit-done': { scene: 'exhibits', at: '#/exhibits/heterogeneous-pass1', wait: 700 },
  'exhibit-failed': { scene: 'exhibits', at: '#/exhibits/mars2-systems' },
  'exhibit-figure': { scene: 'exhibits', at: '#/exhibits/scaling-law?cell=single-base-curve' },
  'exhibit-learning': { scene: 'exhibits', at: '#/exhibits/learning-curves', wait: 700 },
  'exhibit-diversity': { scene: 'exhibits', at: '#/exhibits/diversity', wait: 700 },
  'exhibit-unreadable': { scene: 'exhibits-unreadable', at: '#/exhibits/homogeneous' },
  'exhibit-unplanned': { scene: 'exhibits-unreadable', at: '#/exhibits/diversity?panel=plan', wait: 700 },
  'exhibit-gone': { scene: 'exhibits', at: '#/exhibits/nothing' },
  'exhibit-plan': { scene: 'exhibits', at: '#/exhibits/t-plus-ablation?panel=plan', wait: 700 },
  'exhibit-plan-parts': {
    scene: 'exhibits',
    at: '#/exhibits/homogeneous?scale=paper&panel=plan',
    press: [/^Rows, columns, lines/],
  },
  'exhibit-plan-ours': {
    scene: 'exhibits',
    at: '#/exhibits/homogeneous?panel=plan',
    press: [/^Rows, columns, lines/],
    tick: ['Of ours, not in the paper: controls and other additions (10 of 10)'],
  },
  'exhibit-menu': { scene: 'exhibits', at: '#/exhibits', menu: 'main ul li a[aria-label]' },
  'exhibit-plan-large': { scene: 'exhibits', at: '#/exhibits/homogeneous?panel=plan', wait: 700 },
  'exhibit-plan-paper': { scene: 'exhibits', at: '#/exhibits/homogeneous?scale=paper&panel=plan', wait: 700 },
  'exhibit-steps': { scene: 'exhibits', at: '#/exhibits/homogeneous?panel=steps' },
  'exhibit-steps-failed': { scene: 'exhibits', at: '#/exhibits/mars2-systems?panel=steps' },
  'exhibit-decisions': { scene: 'exhibits', at: '#/exhibits/homogeneous?panel=decisions' },
  'exhibit-entered': {
    scene: 'exhibits-entered',
    at: '#/exhibits/mars2-systems?cell=14b-base.pass-1-mcts',
    wait: 700,
  },
  'exhibit-entered-form': {
    scene: 'exhibits-entered',
    at: '#/exhibits/mars2-systems?cell=14b-base.pass-1-mcts',
    press: ['More'],
    item: 'Enter values of the paper…',
    confirm: 'Enter value',
  },
  'exhibits-at-hand': { scene: 'exhibits-at-hand', at: '#/exhibits', scroll: 'Our next paper', wait: 900 },
  'exhibit-at-hand': { scene: 'exhibits-at-hand', at: '#/exhibits/our-runs', wait: 900 },
  'exhibits-two-figures': {
    scene: 'exhibits-two-figures',
    at: '#/exhibits',
    scroll: 'Our next paper',
    wait: 900,
  },
  'exhibit-two-figures': { scene: 'exhibits-two-figures', at: '#/exhibits/our-figure', wait: 900 },
  'exhibits-lacking': { scene: 'exhibits-lacking', at: '#/exhibits', scroll: 'Our next paper', wait: 900 },
  'exhibits-broken': { scene: 'exhibits-lacking', at: '#/exhibits', wait: 900 },
  'exhibit-lacking': { scene: 'exhibits-lacking', at: '#/exhibits/our-runs', wait: 900 },
  'exhibit-lacking-line': { scene: 'exhibits-lacking', at: '#/exhibits/our-figure', wait: 900 },
  'exhibit-editor-lacking': {
    scene: 'exhibits-lacking',
    at: '#/edit-exhibit/our-runs',
    press: ['Runs in its rows and lines 3 of 3 chosen'],
    wait: 900,
  },
  'exhibits-unfilled': { scene: 'exhibits-unfilled', at: '#/exhibits', scroll: 'Our next paper', wait: 900 },
  'exhibit-unfilled': { scene: 'exhibits-unfilled', at: '#/exhibits/our-runs', wait: 900 },
  'exhibit-trainings': { scene: 'exhibits-trainings', at: '#/exhibits/our-figure', wait: 900 },
  'exhibit-editor-trainings': {
    scene: 'exhibits-trainings',
    at: '#/edit-exhibit/our-figure',
    press: ['Trainings of its lines, one a seed 2 of 2 chosen'],
    wait: 700,
  },
  'exhibit-complete': {
    scene: 'exhibits-own',
    at: '#/edit-exhibit/our-teams',
    fill: ["The exhibit's file", '{\n  "version": 1,\n  "cells": [\n    { "measure": { "metric": "'],
    do: ['p'],
    wait: 900,
  },
  'exhibit-entered-figure': { scene: 'exhibits-entered', at: '#/exhibits/learning-curves', wait: 700 },
  'exhibit-editor': { scene: 'exhibits-own', at: '#/new-exhibit?from=homogeneous', wait: 700 },
  'exhibit-editor-figure': { scene: 'exhibits-own', at: '#/new-exhibit?from=scaling-law', wait: 700 },
  'exhibit-editor-wrong': {
    scene: 'exhibits-own',
    at: '#/edit-exhibit/our-teams',
    fill: ["The exhibit's file", '{\n  "version": 1,\n  "id": "Our Teams",\n  "models": []\n}'],
    wait: 900,
  },
  activity: { scene: 'exhibits', at: '#/activity' },
  'activity-empty': { scene: 'first', at: '#/activity' },
  'home-exhibits': { scene: 'exhibits', at: '#/' },
  'home-morning': { scene: 'morning', at: '#/', away: 14 },
  'home-morning-narrow': { scene: 'morning', at: '#/', away: 14, width: 900 },
  'home-morning-below': { scene: 'morning', at: '#/', away: 14, width: 900, scroll: 'GPUs' },
  'home-quiet': { scene: 'finished', at: '#/', away: 14 },
  'exhibits-narrow': { scene: 'exhibits', at: '#/exhibits', width: 900 },
  'studies-columns': { scene: 'many', at: '#/studies', press: ['Columns'] },
  export: { scene: 'finished', at: STUDY, press: ['Export'] },
  'export-narrow': { scene: 'finished', at: STUDY, press: ['Export'], width: 900 },
  'export-compare': { scene: 'finished', at: '#/compare/study-1', press: ['Export'] },
  bundle: { scene: 'finished', at: STUDY, press: ['Export', 'Bundle for another lab…'] },
  'bundle-many': {
    scene: 'many',
    at: '#/compare?run=study-1.single.1&run=study-1.heterogeneous.1',
    press: ['Export', 'Bundle for another lab…'],
  },
  'bundle-refused': {
    scene: 'report-troubled',
    at: STUDY,
    press: ['Export', 'Bundle for another lab…'],
  },
  'report-problem': { scene: 'running', at: '#/', do: REPORT_PROBLEM },
  'report-problem-narrow': { scene: 'running', at: '#/', do: REPORT_PROBLEM, width: 900 },
  'report-problem-troubled': { scene: 'report-troubled', at: '#/', do: REPORT_PROBLEM },
  'report-problem-collecting': { scene: 'report-collecting', at: '#/', do: REPORT_PROBLEM },
  'palette-setting': { scene: 'running', at: STUDY, do: ['Control+k', ...'notific'] },
  'palette-problem': { scene: 'finished', at: STUDY, do: ['Control+k', ...'test/007'] },
  'palette-node': {
    scene: 'finished',
    at: `${PROBLEM}?part=search`,
    do: ['Control+k', ...'node', 'Space', '1'],
  },
  'setting-sought': { scene: 'running', at: '#/settings?entry=Webhook' },
  'row-menu': { scene: 'many', at: '#/studies', menu: '[aria-rowindex="4"]' },
  'node-menu': {
    scene: 'finished',
    at: `${PROBLEM}/nodes/9?part=search`,
    menu: '[role="tree"]',
  },
  'problem-menu': {
    scene: 'large-library',
    at: '#/library/livecodebench-v6/lc2803',
    menu: '[aria-rowindex="4"]',
  },
  'machine-menu': { scene: 'machines', at: '#/machines', menu: 'a[href="#/machines/gpu-a"]' },
  'point-menu': {
    scene: 'finished',
    at: '#/compare/study-1?view=diversity',
    press: ['Measure'],
    menu: '[data-point]',
  },
  'palette-export': { scene: 'exhibits', at: '#/', do: ['Control+k', ...'export'] },
  'palette-node-anywhere': {
    scene: 'finished',
    at: '#/',
    do: ['Control+k', ...'007', 'Space', ...'node', 'Space', ...'17'],
  },
  'chart-menu': { scene: 'finished', at: '#/compare/study-1', menu: 'figure [role="slider"]' },
  conclusion: { scene: 'seeds', at: STUDY, open: 2 },
  palette: { scene: 'running', at: STUDY, do: ['Control+k'] },
  keys: { scene: 'running', at: STUDY, do: ['Shift+?'] },
};

/** A shot that does nothing to its screen, so that another one of its scene can follow in the same page. */
const isPlain = ({ scene: _scene, at: _at, ...actions }) => Object.keys(actions).length === 0;

/** Shots so that most follow one of their scene that does nothing to it. */
export const byScene = (shots) =>
  shots.toSorted((a, b) => (a.scene < b.scene ? -1 : a.scene > b.scene ? 1 : isPlain(b) - isPlain(a)));

/**
 * Opens a scene in a theme, and does to it what stands in its shot. `previous`: what the page shows now; null or left out:
 * something else. Where it can be followed, the page only goes to another address, which takes a fifth of a new one.
 * @param {{ scene: string, at: string } | null} [previous]
 */
export async function show(page, url, shot, theme, previous = null) {
  if (previous !== null && isPlain(previous) && previous.scene === shot.scene && shot.away === undefined) {
    await page.evaluate((to) => {
      location.hash = to;
    }, shot.at);
  } else {
    await page.goto('about:blank');
    await page.goto(`${url}?scene=${shot.scene}&theme=${theme}&away=${shot.away ?? 0}${shot.at}`);
  }
  await settled(page);
  if (shot.fill !== undefined) await page.getByLabel(shot.fill[0], { exact: true }).fill(shot.fill[1]);
  for (const name of shot.press ?? []) await page.getByRole('button', { name, exact: true }).click();
  if (shot.item !== undefined) await page.getByRole('menuitem', { name: shot.item }).click();
  if (shot.confirm !== undefined) {
    await page.getByRole('dialog').getByRole('button', { name: shot.confirm, exact: true }).click();
    await page.waitForTimeout(300);
  }
  for (const name of shot.tick ?? []) await page.getByLabel(name, { exact: true }).click();
  if (shot.pick !== undefined) await pickOptions(page, shot.pick);
  if (shot.choose !== undefined) await page.getByText(shot.choose, { exact: true }).first().click();
  if (shot.tab !== undefined) await page.getByRole('tab', { name: shot.tab }).click();
  if (shot.scroll !== undefined) {
    await page.getByRole('heading', { name: shot.scroll }).scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
  }
  if (shot.click !== undefined) {
    await page.getByLabel(shot.click, { exact: true }).first().click();
    await page.waitForTimeout(300);
  }
  // Its context menu, as the keyboard opens it.
  if (shot.menu !== undefined) await page.locator(shot.menu).first().dispatchEvent('contextmenu');
  if (shot.open !== undefined) await page.locator('summary').nth(shot.open).click();
  if (shot.wait !== undefined) await page.waitForTimeout(shot.wait);
  for (const keys of shot.do ?? []) await page.keyboard.press(keys);
  if (shot.do !== undefined) await page.waitForTimeout(400);
}

/** Until the screen is there and at rest; one that changes all the time as it is after 700 ms. */
export async function settled(page) {
  await page.evaluate(
    () =>
      new Promise((done) => {
        const isLoading = () =>
          document.querySelector('main h1') === null ||
          [...document.querySelectorAll('[role="status"]')].some(({ textContent }) =>
            /^(Loading|Looking|Estimating|Measuring)/.test(textContent ?? ''),
          );
        let quiet;
        const restart = () => {
          clearTimeout(quiet);
          quiet = setTimeout(() => (isLoading() ? restart() : done()), 150);
        };
        restart();
        setTimeout(done, 700);
        new MutationObserver(restart).observe(document.body, {
          ...{ subtree: true, childList: true, attributes: true, characterData: true },
        });
      }),
  );
}

async function pickOptions(page, [field, ...options]) {
  for (const option of options) {
    await page.getByLabel(field, { exact: true }).first().click();
    await page.getByRole('option', { name: option, exact: true }).click();
  }
  if (await page.getByRole('listbox').isVisible()) await page.keyboard.press('Escape');
  await page.waitForTimeout(1_200);
}

if (process.argv[1] === import.meta.filename) await shootAll(...process.argv.slice(2));

async function shootAll(folder = 'test-results/preview', ...wanted) {
  const themes = process.env.THEMES?.split(',') ?? ['light', 'dark'];
  const { browser, url, close } = await openPreview();
  await mkdir(folder, { recursive: true });
  const [width = 1280, height = 800] = (process.env.SIZE ?? '').split('x').filter(Boolean).map(Number);
  const page = await browser.newPage({ viewport: { width, height } });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      console.log(`  [${message.type()}] ${message.text().slice(0, 300)}`);
  });
  page.on('pageerror', (error) => console.log(`  [page error] ${error.message.slice(0, 500)}`));
  for (const name of wanted.length > 0 ? wanted : Object.keys(SHOTS)) {
    const shot = SHOTS[name];
    for (const theme of themes) {
      await page.setViewportSize({ width: shot.width ?? width, height });
      await show(page, url, shot, theme);
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) });
    }
    console.log(name);
  }
  await close();
}
