/** doctor: what stands in the way of a first job on a machine, with what to type for each. */
export { type DoctorReport, examine } from './examine';
