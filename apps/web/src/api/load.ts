import { log } from '../lib/log.ts'

/** Starts a call and logs its failure. Returns the function that aborts it, as the cleanup of an effect. */
export function load<T>(
  call: (signal: AbortSignal) => Promise<T>,
  onReply: (reply: T) => void,
  failure: string,
): () => void {
  const abort = new AbortController()
  call(abort.signal)
    .then(onReply)
    .catch((error: unknown) => {
      if (!abort.signal.aborted) log.warn(failure, error)
    })
  return () => abort.abort()
}
