import { runYielding } from '../timing/yield.ts'

/** Bytes copied between two yields to the event loop: about half a millisecond. */
export const COPY_BYTES = 512 * 1024

/** Concatenates the parts. Long input is copied in steps that yield to the event loop. */
export function joined(parts: readonly Uint8Array[]): Promise<Buffer> {
  return runYielding(joinedInSteps(parts))
}

export function* joinedInSteps(parts: readonly Uint8Array[]): Generator<undefined, Buffer> {
  const whole = Buffer.allocUnsafeSlow(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  let copied = 0
  for (const part of parts) {
    for (let from = 0; from < part.length; from += COPY_BYTES) {
      const some = part.subarray(from, from + COPY_BYTES)
      if (copied + some.length > COPY_BYTES) {
        yield
        copied = 0
      }
      whole.set(some, at)
      at += some.length
      copied += some.length
    }
  }
  return whole
}
