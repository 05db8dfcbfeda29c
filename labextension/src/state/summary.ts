/** What the panel tells of a thread, as codes and numbers; the components have the words. */

export { entriesOf, type Entry, underRepair } from './attempts';
export {
  runLabel,
  runningTurn,
  runSeconds,
  waitingRuns,
  wasLeft,
  type RunLabel
} from './labels';
export {
  shortCost,
  shortCount,
  usageParts,
  type ShortCost,
  type ShortCount,
  type UsageParts
} from './usage';
export {
  marksOf,
  turnVariables,
  type Sign,
  type VariableMark,
  type VariableSummary
} from './variables';
