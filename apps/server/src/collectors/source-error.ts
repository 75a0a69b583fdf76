import { backoffMs, hostBackoff } from '../timing/backoff.ts'

export type SourceErrorCode =
  | 'unreachable'
  | 'timeout'
  | 'tls'
  | 'fingerprint'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'unsupported'
  | 'node_offline'
  | 'rate_limited'
  | 'bad_answer'
  | 'too_large'
  /** it was never sent: earlier calls to the same address took all connections */
  | 'crowded'
  | 'server'

/** Nothing of HTTP came back: the network or the certificate is at fault, and another address may do. */
const pathCodes: readonly SourceErrorCode[] = ['unreachable', 'tls', 'fingerprint']

const refusalCodes: readonly SourceErrorCode[] = ['forbidden', 'unsupported', 'not_found']

/** What a watched host did wrong, in a sentence for people. Never carries secrets. */
export class SourceError extends Error {
  readonly code: SourceErrorCode
  /** the connection broke after it was made, as kept-alive ones do: worth one more try */
  readonly reset: boolean
  /** its certificate is not one that we trust: a person has to look at it */
  readonly isUntrusted: boolean
  /** the host's own words, shown or not: what it means may depend on them */
  readonly said: string

  constructor(
    code: SourceErrorCode,
    message: string,
    options: ErrorOptions & { reset?: boolean; said?: string; untrusted?: boolean } = {},
  ) {
    super(message, options)
    this.name = 'SourceError'
    this.code = code
    this.reset = options.reset ?? false
    this.isUntrusted = options.untrusted ?? false
    this.said = options.said ?? message
  }

  /** It answers, and says that the account may not have this, or that it does not know it: asking again soon is in vain. */
  get isRefusal(): boolean {
    return refusalCodes.includes(this.code)
  }

  /** Only these count against an address; any HTTP answer proves that it can be reached. */
  get isPathFault(): boolean {
    return pathCodes.includes(this.code)
  }
}

/** What is not a SourceError is a defect of ours; it must not stop the polling of a source. */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  return new SourceError('bad_answer', 'the answer could not be understood', { cause: error })
}

/** There was no connection to send it on, so that it cost the host nothing. */
export const neverArrived = ({ isPathFault, reset, code }: SourceError): boolean =>
  (isPathFault && !reset) || code === 'crowded'

/** An account that was refused will be refused again: Proxmox takes 3 s for it, and may ban us. */
export const REFUSED_MS = 30_000

/** What is refused or unknown there is asked again later, in case an administrator has fixed it; absent: as any failure. */
export interface RefusalPauses {
  deniedMs?: number
  unknownMs?: number
}

/** How long until it may be asked again after this error, if not the usual backoff. */
export function pauseAfter(
  { code, isRefusal }: SourceError,
  failures: number,
  { deniedMs, unknownMs }: RefusalPauses = {},
): number | undefined {
  if (code === 'unauthorized') return Math.max(REFUSED_MS, backoffMs(hostBackoff, failures))
  if (code === 'forbidden') return deniedMs
  return isRefusal ? unknownMs : undefined
}
