/** Why an update does not come to be; `code` is for programs, the text for people. */
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
