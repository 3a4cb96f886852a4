import type { TrainingService } from '../trainers/index';

/** What an experiment needs of the trainings' service. */
export type Trainings = Pick<
  TrainingService,
  | 'list'
  | 'plan'
  | 'start'
  | 'stop'
  | 'resume'
  | 'remove'
  | 'curves'
  | 'evaluation'
  | 'onChange'
  | 'onRemoved'
>;
