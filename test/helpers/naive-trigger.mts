export { NaiveTrigger } from './naive.mts';
