export { BenchmarkScreen } from './benchmark-screen';
export { LibraryScreen } from './library-screen';
