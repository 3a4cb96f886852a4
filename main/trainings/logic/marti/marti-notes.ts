import type { MartiTraining } from '../../../../preload/contract';
import { withTilde } from '../home-path';
import type { MartiPaths } from './marti-paths';
import { martiValues } from './marti-values';

/** How known pitfalls of the trainer are avoided, one line each (docs/training.md, "At paper scale"). */
export function martiNotes(spec: MartiTraining, paths: MartiPaths): string[] {
  const values = martiValues(spec);
  const isTree = spec.preset !== 'grpo';
  const code = withTilde(paths.code);
  return [
    `The checkout is not changed. Each start makes a working copy of its code in ${code}, with a link openrlhf to marti, because the released files still import the package by its former name.`,
    'Before Ray starts, the grader of that copy is tested with a correct and a wrong program: if its helper is missing, it silently fails every program.',
    ...(isTree
      ? [
          "The search module is set explicitly, because its default uses the package's former name. The package treequest is checked: the search needs it, but MARTI's requirements do not list it.",
        ]
      : []),
    `All paths are absolute, since MARTI's scripts leave ROOT_DIR empty. Logs, event files, trees and checkpoints go to ${withTilde(paths.output)}.`,
    `Servable weights are in the folders global_step..._hf under ${withTilde(paths.output)}/checkpoints. All agents overwrite ${withTilde(paths.final)}, so do not use it if there are several.`,
    values.isOn('load_checkpoint')
      ? `A resume continues from the last checkpoint${every(values.number('save_steps', -1))}.`
      : 'Without load_checkpoint a resume starts from the beginning.',
    ...(spec.rayAddress === null
      ? [
          'Ray opens its dashboard on port 8265 of all network interfaces, and MARTI cannot change that: anyone who can reach the port can run programs. Run only one such training per machine at a time.',
        ]
      : [
          `The working copy is sent to the cluster at ${spec.rayAddress}; models, data and output must be on a disk that all its nodes share.`,
          'A stop also stops the training on the cluster.',
        ]),
    ...(isTree
      ? [
          "MARTI's released search does not record the parent of each node, so its reward shaping has no effect. The advantage over the whole tree does.",
        ]
      : []),
    ...(spec.preset === 'grpo'
      ? [
          "MARTI's released code collects answers in the order in which they end and cuts its groups from that list: a group mixes answers to different problems, so its advantage is not that of GRPO.",
        ]
      : []),
    ...(spec.preset === 'shared'
      ? [
          'The released code treats all roles as one agent and sends no role prompts: this trains the same as the single preset. GPUs are reserved once.',
        ]
      : []),
  ];
}

function every(steps: number): string {
  return steps > 0 ? `, saved every ${steps} ${steps === 1 ? 'step' : 'steps'}` : '; none is saved';
}
