const waiting: (() => void)[] = []

/**
 * Lets whatever else waits have its turn. Of those who wait here one goes on in each turn of the event loop, in the order
 * in which they came: fifty who work in steps at the same time hold up nothing for longer than one of them.
 */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn)
  })

function giveTurn() {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Takes one step a turn, so that nothing long holds up everything else. */
export async function inTurns<T>(steps: Iterator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await nextTurn()
  }
}

/** Takes all steps at once. */
export function atOnce<T>(steps: Iterator<unknown, T, undefined>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
