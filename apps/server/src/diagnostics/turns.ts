/** Ten thousand guests take longer than other requests should wait: a step lasts some milliseconds. */
export function turns(stepMs = 10): () => Promise<void> | undefined {
  let until = performance.now() + stepMs
  return () => {
    if (performance.now() < until) return undefined
    return new Promise<void>((resolve) => {
      setImmediate(() => {
        until = performance.now() + stepMs
        resolve()
      })
    })
  }
}
