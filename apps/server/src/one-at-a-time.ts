/** Runs a job when those that came before it have ended, however they ended. */
export interface InTurn {
  <T>(job: () => Promise<T>): Promise<T>
  /** how many run or wait */
  size(): number
  /** When everything that has come so far has ended. */
  idle(): Promise<void>
}

export function oneAtATime(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  let size = 0
  function inTurn<T>(job: () => Promise<T>): Promise<T> {
    size += 1
    const result = last.then(job).finally(() => (size -= 1))
    last = result.catch(() => undefined)
    return result
  }
  return Object.assign(inTurn, {
    size: () => size,
    idle: async () => void (await last),
  })
}
