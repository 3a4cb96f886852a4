/** Where a start came from: code, packages, weights, GPUs; and what differs between starts. */
export { DifferencesSection } from './differences-section';
export { ProvenanceSection } from './provenance-section';
