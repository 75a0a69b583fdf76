/**
 * - `refused`: must not be called; it stays so until a setting changes
 * - `failed`: was not reached, or gave no usable answer; it may next time
 */
export type OutboundFault = 'refused' | 'failed'

/** A call that was not made or brought no usable answer. Its text names no secret. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly fault: OutboundFault

  constructor(message: string, fault: OutboundFault = 'failed') {
    super(message)
    this.fault = fault
  }
}
