/** Why an update failed; `code` is for programs, the text for users. */
export type UpdateFault =
  | 'feed'
  | 'signature'
  | 'checksum'
  | 'downgrade'
  | 'platform'
  | 'space'
  | 'interrupted'
  | 'health'
  | 'unpacking'
  | 'handover'

export class UpdateError extends Error {
  override name = 'UpdateError'
  readonly code: UpdateFault

  constructor(code: UpdateFault, message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.code = code
  }
}

/** Reports a full disk; undefined for other errors. */
export function spaceError(error: unknown): UpdateError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (!['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM'].includes(code)) return undefined
  const message = `The data folder cannot be written (${code}). Free some space, or check its owner.`
  return new UpdateError('space', message, { cause: error })
}
