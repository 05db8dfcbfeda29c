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
  budgetsInForce,
  budgetUse,
  type Bounded,
  type BudgetUse
} from './budget';
export {
  callsOf,
  exactCost,
  exactCount,
  moneyOf,
  priceSources,
  shortCost,
  shortCount,
  type Cost,
  type Money,
  type ShortCount
} from './usage';
export {
  marksOf,
  runVariables,
  turnVariables,
  type Sign,
  type VariableMark,
  type VariableSummary
} from './variables';
