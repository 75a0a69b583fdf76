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
  /** never sent, because earlier calls to the same address use all connections */
  | 'crowded'
  | 'server'

/** No HTTP answer: the network or the certificate is at fault, and another address may work. */
const pathCodes: readonly SourceErrorCode[] = ['unreachable', 'tls', 'fingerprint']

/** These failures do not disappear without a change. */
const lastingCodes: readonly SourceErrorCode[] = ['unauthorized', 'forbidden', 'fingerprint', 'tls']

const refusalCodes: readonly SourceErrorCode[] = ['forbidden', 'unsupported', 'not_found']

/** A failure of a watched host, in a sentence for users. Never contains secrets. */
export class SourceError extends Error {
  readonly code: SourceErrorCode
  /** an open connection broke, which is normal for kept-alive ones, so a retry may help */
  readonly reset: boolean
  /** the certificate is not trusted, so an administrator has to check it */
  readonly isUntrusted: boolean
  /** the host's own text, shown or not; the meaning of the error may depend on it */
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

  /** The host lacks this call or forbids it to the account. A retry soon would fail too. */
  get isRefusal(): boolean {
    return refusalCodes.includes(this.code)
  }

  /** Waiting does not help: an administrator has to change something. */
  get isLasting(): boolean {
    return lastingCodes.includes(this.code)
  }

  /** Only these count against an address. Any HTTP answer proves that it can be reached. */
  get isPathFault(): boolean {
    return pathCodes.includes(this.code)
  }
}

/** Any other error is a defect of Pulse. It must not stop the polling of a source. */
export function toSourceError(error: unknown): SourceError {
  if (error instanceof SourceError) return error
  return new SourceError('bad_answer', 'the answer could not be understood', { cause: error })
}

/** The call had no connection, so it cost the host nothing. */
export const neverArrived = ({ isPathFault, reset, code }: SourceError): boolean =>
  (isPathFault && !reset) || code === 'crowded'

/** A refused account will be refused again. Proxmox takes 3 s for it, and may ban Pulse. */
export const REFUSED_MS = 30_000

/** Pauses after a refused or unknown call, which an administrator may fix. Absent: as after any failure. */
export interface RefusalPauses {
  deniedMs?: number
  unknownMs?: number
}

/** The pause after this error, if not the usual backoff. */
export function pauseAfter(
  { code, isRefusal }: SourceError,
  failures: number,
  { deniedMs, unknownMs }: RefusalPauses = {},
): number | undefined {
  if (code === 'unauthorized') return Math.max(REFUSED_MS, backoffMs(hostBackoff, failures))
  if (code === 'forbidden') return deniedMs
  return isRefusal ? unknownMs : undefined
}
