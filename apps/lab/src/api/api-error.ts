/** An answer other than 200. PVE puts its text into the status line. */
export class ApiError extends Error {
  readonly status: number
  readonly errors: Record<string, string> | undefined
  /** Errors of pveproxy itself have no body. */
  readonly bare: boolean

  constructor(
    status: number,
    text: string,
    { errors, bare = false }: { errors?: Record<string, string>; bare?: boolean } = {},
  ) {
    super(text)
    this.status = status
    this.errors = errors
    this.bare = bare
  }
}

export const parameterError = (errors: Record<string, string>): ApiError =>
  new ApiError(400, 'Parameter verification failed.', { errors })
