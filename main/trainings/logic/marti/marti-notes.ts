import type { MartiTraining } from '../../../../preload/contract';
import { homeWords } from '../home-words';
import type { MartiPlaces } from './marti-places';
import { martiValues } from './marti-values';

/** How the trainer's known traps are met, one line each (docs/training.md, "At paper scale"). */
export function martiNotes(spec: MartiTraining, places: MartiPlaces): string[] {
  const values = martiValues(spec);
  const isTree = spec.preset !== 'grpo';
  const code = homeWords(places.code);
  return [
    `The checkout stays as it is. A working copy of its code is made in ${code} at every start, with a link openrlhf to marti: the released files still import the package by its former name.`,
    'Before Ray starts, the grader of that copy has to tell a right program from a wrong one: where its helper is not found, it fails every program and says nothing.',
    ...(isTree
      ? [
          'The module of the search is named, since its default has the former name. The package treequest is looked for: the search needs it and no list of requirements names it.',
        ]
      : []),
    `All paths are written out; MARTI's scripts leave ROOT_DIR empty. Logs, event files, trees and checkpoints go to ${homeWords(places.output)}.`,
    `Weights to serve are the folders global_step..._hf under ${homeWords(places.output)}/checkpoints. ${homeWords(places.final)} is written by all agents and so worth nothing where there are several.`,
    values.isOn('load_checkpoint')
      ? `A resume goes on from the last checkpoint${every(values.number('save_steps', -1))}.`
      : 'Without load_checkpoint a resume begins anew.',
    ...(spec.rayAddress === null
      ? [
          'Ray shows its dashboard on port 8265 of all network interfaces, and MARTI does not let that be changed: whoever reaches the port can run programs. One training of this kind per machine at a time.',
        ]
      : [
          `The working copy is sent to the cluster at ${spec.rayAddress}; models, data and output have to be on a disk that all its nodes share.`,
          'A stop is passed on to the cluster, where the training would go on otherwise.',
        ]),
    ...(isTree
      ? [
          "As released, MARTI's search does not pass on which node came from which, so its reward shaping changes nothing. The advantage over the whole tree is real.",
        ]
      : []),
    ...(spec.preset === 'shared'
      ? [
          'In the released code all roles become one agent, and no role prompt is sent: this trains what the single preset trains. GPUs are set aside once.',
        ]
      : []),
  ];
}

function every(steps: number): string {
  return steps > 0 ? `, one every ${steps} ${steps === 1 ? 'step' : 'steps'}` : '; none is written';
}
