const waiting: (() => void)[] = []

/**
 * Yields to the event loop. One of all callers continues per iteration of the loop, in the order of their
 * calls. So fifty tasks that work in steps at the same time block the loop no longer than one step.
 */
export const yieldToEventLoop = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(resumeNext)
  })

function resumeNext() {
  waiting.shift()!()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** Runs a generator, and yields to the event loop between its steps. */
export async function runYielding<T>(steps: Iterator<unknown, T, undefined>): Promise<T> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await yieldToEventLoop()
  }
}

const itemsPerStep = 500

/** Does something cheap with each item, and yields to the event loop between some hundred of them. */
export async function forEachYielding<T>(items: Iterable<T>, use: (item: T) => void): Promise<void> {
  let done = 0
  for (const item of items) {
    use(item)
    if (++done % itemsPerStep === 0) await yieldToEventLoop()
  }
}

/** For loops with many cheap rounds: `await` the result in each round. It yields after `sliceMs`. */
export function createTimeSlice(
  sliceMs = 10,
  monotonic = () => performance.now(),
): () => Promise<void> | undefined {
  let endsAt = monotonic() + sliceMs
  return () => {
    if (monotonic() < endsAt) return undefined
    return yieldToEventLoop().then(() => void (endsAt = monotonic() + sliceMs))
  }
}
