export { runYielding as inTurns, yieldToEventLoop as nextTurn } from '../timing/yield.ts'
export { atOnce } from '@pulse/domain'
