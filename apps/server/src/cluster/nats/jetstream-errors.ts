/** JetStream's error for a sequence that is not the last one of the subject (nats-server 2.9, errors.json). */
const wrongLastSequence = 10_071
/** JetStream's error for a stream that does not exist (nats-server 2.9, errors.json). */
const streamNotFound = 10_059

interface Failed {
  code?: unknown
  message?: string
}

/** The entry of a bucket is there already, or has changed since. */
export function isTaken(error: unknown): boolean {
  const { code, message } = error as Failed
  return code === wrongLastSequence || /wrong last sequence/.test(message ?? '')
}

export function unlessTaken(error: unknown): undefined {
  if (!isTaken(error)) throw error
}

export function isGone(error: unknown): boolean {
  const { code, message } = error as Failed
  return code === streamNotFound || (message ?? '').includes('stream not found')
}

/** No stream takes a message: there is none, or no server that would have it (@nats-io/jetstream 3, `jserrors`, which it does not export). */
export const isUntaken = (error: unknown): boolean =>
  (error as Error).name === 'JetStreamNotEnabled' || isGone(error)
