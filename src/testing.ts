export { type ConformanceOptions, type TestRunner, testAdapter } from './testing/conformance.ts'
export { type CursorStandInOptions, cursorStandIn } from './testing/cursor-stand-in.ts'
export { type FakeCli, type FakeCliLogEntry, fakeCli } from './testing/fake-cli.ts'
export type {
  FakeChunks,
  FakeCliScript,
  FakeGrandchild,
  FakeLine,
  FakeStep,
} from './testing/fake-cli-script.ts'
export {
  type ExpectedTurn,
  fixturesFolder,
  listFixtures,
  replayFixture,
  updateSnapshots,
} from './testing/fixtures.ts'
export { type Breach, checkGuarantees } from './testing/guarantees.ts'
export { type ModelServer, type ModelServerOptions, startModelServer } from './testing/model-server.ts'
export type { Replaced, Replacement } from './testing/neutral.ts'
export { type RecordOptions, type RecordResult, record } from './testing/recorder.ts'
export type {
  Attempts,
  ModelApiName,
  ModelRequest,
  OfferedTool,
  Reply,
  ReplyUsage,
  Scenario,
  ToolCall,
} from './testing/scenario.ts'
export { longAnswer, type ScenarioName, scenarios, toolTurnAnswer } from './testing/scenarios.ts'
