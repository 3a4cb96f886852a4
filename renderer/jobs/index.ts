/** Jobs: the list, a job's page, and the form that starts one. */
export { JobsScreen } from './jobs-screen';
export { NewJobScreen } from './new-job-screen';
