export { type ConformanceOptions, type TestRunner, testAdapter } from './testing/conformance.ts'
export {
  type ExpectedTurn,
  fixturesFolder,
  listFixtures,
  replayFixture,
  updateSnapshots,
} from './testing/fixtures.ts'
export { type Breach, checkGuarantees } from './testing/guarantees.ts'
