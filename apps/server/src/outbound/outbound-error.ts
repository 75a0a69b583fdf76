/**
 * - `refused`: the call is forbidden until a setting changes
 * - `failed`: the server was unreachable, or gave no usable answer; a retry may succeed
 */
export type OutboundFault = 'refused' | 'failed'

/** A call that was not made, or brought no usable answer. Its text contains no secret. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly fault: OutboundFault

  constructor(message: string, fault: OutboundFault = 'failed') {
    super(message)
    this.fault = fault
  }
}
