import type { TrainingService } from '../../trainings/index';

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
