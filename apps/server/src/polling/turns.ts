/** Lets whatever else waits have its turn. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

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
