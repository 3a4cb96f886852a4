import { GRADER_ADDRESS, GRADER_ADDRESS_PROBLEM, TOKEN_PATH } from '../../preload/contract/plans/index';
import type { TrainingRequest } from '../../preload/contract/training-spec';
import { ABSOLUTE_PATH, type FieldError, wrong } from './form-errors';

/** A grader service as entered. */
export type GraderDraft = { readonly address: string; readonly tokenFile: string };

export const NO_GRADER: GraderDraft = { address: '', tokenFile: '' };

/** The draft of a training that grades there, or not. */
export function draftOfGrader(grader: TrainingRequest['grader']): GraderDraft {
  return { address: grader?.address ?? '', tokenFile: grader?.tokenFile ?? '' };
}

export function graderErrors({ address, tokenFile }: GraderDraft): readonly FieldError[] {
  if (address.trim() === '') return [];
  return [
    ...(GRADER_ADDRESS.test(address.trim()) ? [] : [wrong('grader', GRADER_ADDRESS_PROBLEM)]),
    ...(tokenFile.trim() === '' || TOKEN_PATH.test(tokenFile.trim())
      ? []
      : [wrong('grader token', ABSOLUTE_PATH)]),
  ];
}

/** Its part of a request; none where the training grades on its machine. */
export function graderOf({ address, tokenFile }: GraderDraft): Pick<TrainingRequest, 'grader'> {
  if (address.trim() === '') return {};
  const file = tokenFile.trim() === '' ? {} : { tokenFile: tokenFile.trim() };
  return { grader: { address: address.trim(), ...file } };
}
