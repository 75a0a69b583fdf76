/** The server cannot start: what is wrong, and what the administrator can do about it. */
export class StartupError extends Error {
  override name = 'StartupError'

  constructor(problem: string, remedy: string, options?: ErrorOptions) {
    super(`${problem}\n${remedy}`, options)
  }
}
