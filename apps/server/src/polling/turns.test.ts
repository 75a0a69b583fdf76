import { expect, test } from 'vitest'
import { inTurns, nextTurn } from './turns.ts'

/** Calls back once in every turn of the event loop, until the returned function is called. */
function eachTurn(run: () => void): () => void {
  let next = setImmediate(turn)
  function turn() {
    run()
    next = setImmediate(turn)
  }
  return () => clearImmediate(next)
}

test('[design 9] of many who work in steps one takes one step a turn, and all in turn', async () => {
  let inTurn = 0
  let most = 0
  const taken: number[] = []
  const stop = eachTurn(() => (inTurn = 0))
  await nextTurn()
  function* work(who: number) {
    for (let step = 0; step < 3; step++) {
      yield
      taken.push(who)
      most = Math.max(most, ++inTurn)
    }
  }
  await Promise.all([0, 1, 2, 3, 4].map((who) => inTurns(work(who))))
  stop()
  expect(most).toBe(1)
  expect(taken).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4])
})

test('what one of them throws keeps no other from going on', async () => {
  const failing = nextTurn().then(() => {
    throw new Error('a fault')
  })
  const other = nextTurn().then(() => 'goes on')
  await expect(failing).rejects.toThrow('a fault')
  expect(await other).toBe('goes on')
})
